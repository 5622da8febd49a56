builtin.module {
  htp.State @Buffer0_content : tensor<1x1x4x8xf32>
  htp.State @Buffer0_counters : tensor<1x1x1x2xi32>
  func.func @main(%x: tensor<1x1x8xf32> {htp.name = "x"}, %reset: tensor<i1> {htp.name = "reset"}) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "window"}, tensor<1x4xf32> {htp.name = "score"}) {
    %0 = htp.Reshape(%x) : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32>
    %1 = htp.Reshape(%reset) : (tensor<i1>) -> tensor<1x1x1x1xi1>
    %2 = htp.Const dense<0.000000e+00> : tensor<1x1x4x8xf32> {htp.name = "keep"} -> tensor<1x1x4x8xf32>
    %3 = htp.StateRead @Buffer0_content, %2, %1 {htp.name = "keep"} : tensor<1x1x4x8xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x4x8xf32>
    %4 = htp.Const dense<0> : tensor<1x1x1x2xi32> {htp.name = "keep"} -> tensor<1x1x1x2xi32>
    %5 = htp.StateRead @Buffer0_counters, %4, %1 {htp.name = "keep"} : tensor<1x1x1x2xi32>, tensor<1x1x1x1xi1> -> tensor<1x1x1x2xi32>
    %6 = htp.Const dense<2> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32>
    %7 = htp.Const dense<1> : tensor<1x1x1x1xi32> {htp.name = "keep"} -> tensor<1x1x1x1xi32>
    %8, %9, %10 = htp.BufferStep(%3, %5, %0, %6, %7, %7) {htp.name = "keep"} : (tensor<1x1x4x8xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x8xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x1x2xi32>)
    htp.StateWrite @Buffer0_content, %9 {htp.name = "keep"} : tensor<1x1x4x8xf32>
    htp.StateWrite @Buffer0_counters, %10 {htp.name = "keep"} : tensor<1x1x1x2xi32>
    %11 = htp.Quantize(%8) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %12 = htp.Relu(%8) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
    %13 = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
    %14 = htp.ReduceSum(%12, %13) : (tensor<1x1x4x8xf32>, tensor<1x1x1x1xi32>) -> tensor<1x1x4x1xf32>
    %15 = htp.Reshape(%14) : (tensor<1x1x4x1xf32>) -> tensor<1x1x1x4xf32>
    %16 = htp.Reshape(%11) : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %17 = htp.Reshape(%15) : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
    func.return %16, %17 : tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>
  }
}
// -----
"builtin.module"() ({
  "htp.State"() <{sym_name = "Buffer0_content", type = tensor<1x1x4x8xf32>}> : () -> ()
  "htp.State"() <{sym_name = "Buffer0_counters", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "main", function_type = (tensor<1x1x8xf32>, tensor<i1>) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>), arg_attrs = [{htp.name = "x"}, {htp.name = "reset"}], res_attrs = [{htp.name = "window"}, {htp.name = "score"}]}> ({
  ^bb0(%x: tensor<1x1x8xf32>, %reset: tensor<i1>):
    %0 = "htp.Reshape"(%x) : (tensor<1x1x8xf32>) -> tensor<1x1x1x8xf32>
    %1 = "htp.Reshape"(%reset) : (tensor<i1>) -> tensor<1x1x1x1xi1>
    %2 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x4x8xf32>}> {htp.name = "keep"} : () -> tensor<1x1x4x8xf32>
    %3 = "htp.StateRead"(%2, %1) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32>, tensor<1x1x1x1xi1>) -> tensor<1x1x4x8xf32>
    %4 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x2xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x2xi32>
    %5 = "htp.StateRead"(%4, %1) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi1>) -> tensor<1x1x1x2xi32>
    %6 = "htp.Const"() <{value = dense<2> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32>
    %7 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x1xi32>}> {htp.name = "keep"} : () -> tensor<1x1x1x1xi32>
    %8, %9, %10 = "htp.BufferStep"(%3, %5, %0, %6, %7, %7) {htp.name = "keep"} : (tensor<1x1x4x8xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x8xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x1x2xi32>)
    "htp.StateWrite"(%9) <{state = @Buffer0_content}> {htp.name = "keep"} : (tensor<1x1x4x8xf32>) -> ()
    "htp.StateWrite"(%10) <{state = @Buffer0_counters}> {htp.name = "keep"} : (tensor<1x1x1x2xi32>) -> ()
    %11 = "htp.Quantize"(%8) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %12 = "htp.Relu"(%8) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
    %13 = "htp.Const"() <{value = dense<3> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %14 = "htp.ReduceSum"(%12, %13) : (tensor<1x1x4x8xf32>, tensor<1x1x1x1xi32>) -> tensor<1x1x4x1xf32>
    %15 = "htp.Reshape"(%14) : (tensor<1x1x4x1xf32>) -> tensor<1x1x1x4xf32>
    %16 = "htp.Reshape"(%11) : (tensor<1x1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %17 = "htp.Reshape"(%15) : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
    "func.return"(%16, %17) : (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
