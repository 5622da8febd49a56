builtin.module {
  htp.State @Buffer0_content : tensor<1x1x4x8xf32>
  htp.State @Buffer0_counters : tensor<1x1x1x2xi32>
  func.func @main(%x: tensor<1x1x8xf32> {htp.name = "x"}, %reset: tensor<i1> {htp.name = "reset"}) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "window"}, tensor<1x4xf32> {htp.name = "score"}) attributes {htp.least_conversion_bytes = 0 : i64} {
    %0 = htp.Reshape(%x) : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
    %1 = htp.Reshape(%reset) : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    %2 = htp.Const dense<0.000000e+00> : tensor<1x1x4x8xf32> {htp.name = "keep"} -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %3 = htp.StateRead @Buffer0_content, %2, %1 {htp.name = "keep"} : tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>> -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %4 = htp.Const dense<0> : tensor<1x1x1x2xi32> {htp.name = "keep"} -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %5 = htp.StateRead @Buffer0_counters, %4, %1 {htp.name = "keep"} : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>> -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %6 = htp.Const dense<2> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %7 = htp.Const dense<1> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %8, %9, %10 = htp.BufferStep(%3, %5, %0, %6, %7, %7) {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    htp.StateWrite @Buffer0_content, %9 {htp.name = "keep"} : tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    htp.StateWrite @Buffer0_counters, %10 {htp.name = "keep"} : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %11 = htp.Quantize(%8) : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    %12 = htp.flat_to_vtcm(%8) : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm>>
    %13 = htp.Relu(%12) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm>>
    %14 = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %15 = htp.ReduceSum(%13, %14) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x1xf32, #htp.place<flat, tcm>>
    %16 = htp.Reshape(%15) : (tensor<1x1x4x1xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x4xf32, #htp.place<flat, tcm>>
    %17 = htp.Reshape(%11) : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %18 = htp.flat_from_vtcm(%16) : (tensor<1x1x1x4xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x4xf32, #htp.place<flat, ddr>>
    %19 = htp.Reshape(%18) : (tensor<1x1x1x4xf32, #htp.place<flat, ddr>>) -> tensor<1x4xf32>
    func.return %17, %19 : tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>
  }
}
// -----
"builtin.module"() ({
  "htp.State"() <{sym_name = "Buffer0_content", type = tensor<1x1x4x8xf32>}> : () -> ()
  "htp.State"() <{sym_name = "Buffer0_counters", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "main", function_type = (tensor<1x1x8xf32>, tensor<i1>) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>), arg_attrs = [{htp.name = "x"}, {htp.name = "reset"}], res_attrs = [{htp.name = "window"}, {htp.name = "score"}]}> ({
  ^bb0(%x: tensor<1x1x8xf32>, %reset: tensor<i1>):
    %0 = "htp.Reshape"(%x) : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
    %1 = "htp.Reshape"(%reset) : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    %2 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x4x8xf32>}> {htp.name = "keep"} : () -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %3 = "htp.StateRead"(%2, %1) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    %4 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x2xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %5 = "htp.StateRead"(%4, %1) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi1, #htp.place<flat, ddr>>) -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    %6 = "htp.Const"() <{value = dense<2> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %7 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %8, %9, %10 = "htp.BufferStep"(%3, %5, %0, %6, %7, %7) {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x4x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "htp.StateWrite"(%9) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> ()
    "htp.StateWrite"(%10) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()
    %11 = "htp.Quantize"(%8) : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    %12 = "htp.flat_to_vtcm"(%8) : (tensor<1x1x4x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm>>
    %13 = "htp.Relu"(%12) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x8xf32, #htp.place<flat, tcm>>
    %14 = "htp.Const"() <{value = dense<3> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
    %15 = "htp.ReduceSum"(%13, %14) : (tensor<1x1x4x8xf32, #htp.place<flat, tcm>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x1xf32, #htp.place<flat, tcm>>
    %16 = "htp.Reshape"(%15) : (tensor<1x1x4x1xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x4xf32, #htp.place<flat, tcm>>
    %17 = "htp.Reshape"(%11) : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %18 = "htp.flat_from_vtcm"(%16) : (tensor<1x1x1x4xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x4xf32, #htp.place<flat, ddr>>
    %19 = "htp.Reshape"(%18) : (tensor<1x1x1x4xf32, #htp.place<flat, ddr>>) -> tensor<1x4xf32>
    "func.return"(%17, %19) : (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>) -> ()
  }) {htp.least_conversion_bytes = 0 : i64} : () -> ()
}) : () -> ()
