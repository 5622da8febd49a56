builtin.module attributes {htp.tcm_bytes = 8388608 : i64} {
  htp.State @Buffer0_content : tensor<1x1x4x8xf32>
  htp.State @Buffer0_counters : tensor<1x1x1x2xi32>
  func.func @main(%x: tensor<1x1x8xf32> {htp.name = "x"}, %reset: tensor<i1> {htp.name = "reset"}) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "window"}, tensor<1x4xf32> {htp.name = "score"}) attributes {htp.least_conversion_bytes = 0 : i64} {
    %0 = htp.Reshape(%x) {in_place} : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
    %1 = htp.Reshape(%reset) {in_place} : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    %2 = htp.Const dense<0.000000e+00> : tensor<1x1x4x8xf32> {htp.name = "keep"} -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %3 = htp.StateRead @Buffer0_content, %2, %1 {htp.name = "keep"} : tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>> -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %4 = htp.Const dense<0> : tensor<1x1x1x2xi32> {htp.name = "keep"} -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %5 = htp.StateRead @Buffer0_counters, %4, %1 {htp.name = "keep"} : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>> -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %6 = htp.Const dense<2> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %7 = htp.Const dense<1> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %8, %9, %10 = htp.BufferStep(%3, %5, %0, %6, %7, %7) {kernel = "step", htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    htp.StateWrite @Buffer0_content, %9 {htp.name = "keep"} : tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    htp.StateWrite @Buffer0_counters, %10 {htp.name = "keep"} : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %11 = htp.flat_to_vtcm.start(%8) {kernel = "copy.PlainFloatTensor"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>
    %12 = htp.Quantize(%8) {kernel = "quantized"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    %13 = htp.CopyWait(%11) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>
    %14 = htp.Relu(%13) {kernel = "unary.PlainFloatTensor_TCM"} : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 2048>>
    %15 = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %16 = htp.ReduceSum(%14, %15) {kernel = "reduce.PlainFloatTensor_TCM"} : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 2048>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x1xf32, #htp.place<flat, tcm, 0>>
    %17 = htp.Reshape(%16) {in_place} : (tensor<1x1x4x1xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x4xf32, #htp.place<flat, tcm, 0>>
    %18 = htp.Reshape(%12) {in_place} : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %19 = htp.flat_from_vtcm(%17) {kernel = "copy.PlainFloatTensor"} : (tensor<1x1x1x4xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x4xf32, #htp.place<flat, ddr>>
    %20 = htp.Reshape(%19) {in_place} : (tensor<1x1x1x4xf32, #htp.place<flat, ddr>>) -> tensor<1x4xf32>
    func.return %18, %20 : tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>
  }
}
// -----
"builtin.module"() ({
  "htp.State"() <{sym_name = "Buffer0_content", type = tensor<1x1x4x8xf32>}> : () -> ()
  "htp.State"() <{sym_name = "Buffer0_counters", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "main", function_type = (tensor<1x1x8xf32>, tensor<i1>) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>), arg_attrs = [{htp.name = "x"}, {htp.name = "reset"}], res_attrs = [{htp.name = "window"}, {htp.name = "score"}]}> ({
  ^bb0(%x: tensor<1x1x8xf32>, %reset: tensor<i1>):
    %0 = "htp.Reshape"(%x) {in_place} : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
    %1 = "htp.Reshape"(%reset) {in_place} : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    %2 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x4x8xf32>}> {htp.name = "keep"} : () -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %3 = "htp.StateRead"(%2, %1) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %4 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x2xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %5 = "htp.StateRead"(%4, %1) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>>) -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %6 = "htp.Const"() <{value = dense<2> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %7 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %8, %9, %10 = "htp.BufferStep"(%3, %5, %0, %6, %7, %7) <{kernel = "step"}> {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "htp.StateWrite"(%9) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> ()
    "htp.StateWrite"(%10) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()
    %11 = "htp.flat_to_vtcm.start"(%8) <{kernel = "copy.PlainFloatTensor"}> : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>
    %12 = "htp.Quantize"(%8) <{kernel = "quantized"}> : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    %13 = "htp.CopyWait"(%11) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>
    %14 = "htp.Relu"(%13) <{kernel = "unary.PlainFloatTensor_TCM"}> : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm, 2048>>
    %15 = "htp.Const"() <{value = dense<3> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %16 = "htp.ReduceSum"(%14, %15) <{kernel = "reduce.PlainFloatTensor_TCM"}> : (tensor<1x1x4x8xf32, #htp.place<flat, tcm, 2048>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x1xf32, #htp.place<flat, tcm, 0>>
    %17 = "htp.Reshape"(%16) {in_place} : (tensor<1x1x4x1xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x4xf32, #htp.place<flat, tcm, 0>>
    %18 = "htp.Reshape"(%12) {in_place} : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %19 = "htp.flat_from_vtcm"(%17) <{kernel = "copy.PlainFloatTensor"}> : (tensor<1x1x1x4xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x4xf32, #htp.place<flat, ddr>>
    %20 = "htp.Reshape"(%19) {in_place} : (tensor<1x1x1x4xf32, #htp.place<flat, ddr>>) -> tensor<1x4xf32>
    "func.return"(%18, %20) : (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>) -> ()
  }) {htp.least_conversion_bytes = 0 : i64} : () -> ()
}) {htp.tcm_bytes = 8388608 : i64} : () -> ()
