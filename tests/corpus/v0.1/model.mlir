builtin.module {
  func.func @main(%x: tensor<1x1x8xf32> {htp.name = "x"}, %reset: tensor<i1> {htp.name = "reset"}) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "window"}, tensor<1x4xf32> {htp.name = "score"}) {
    %0 = qti_aisw.Buffer(%x, reset = %reset) {buffer_dim = 1 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, htp.name = "keep"} : (tensor<1x1x8xf32>, tensor<i1>) -> tensor<1x4x8xf32>
    %1 = qti_aisw.Quantize(%0) {to = !quant.uniform<u8:f32, 5.000000e-02:128>} : (tensor<1x4x8xf32>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %2 = qti_aisw.Relu(%0) : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %3 = qti_aisw.ReduceSum(%2) {axes = array<i64: 2>} : (tensor<1x4x8xf32>) -> tensor<1x4xf32>
    func.return %1, %3 : tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "main", function_type = (tensor<1x1x8xf32>, tensor<i1>) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>), arg_attrs = [{htp.name = "x"}, {htp.name = "reset"}], res_attrs = [{htp.name = "window"}, {htp.name = "score"}]}> ({
  ^bb0(%x: tensor<1x1x8xf32>, %reset: tensor<i1>):
    %0 = "qti_aisw.Buffer"(%x, %reset) <{buffer_dim = 1 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_padding = 0 : i64, stride = 1 : i64}> {htp.name = "keep"} : (tensor<1x1x8xf32>, tensor<i1>) -> tensor<1x4x8xf32>
    %1 = "qti_aisw.Quantize"(%0) <{to = !quant.uniform<u8:f32, 5.000000e-02:128>}> : (tensor<1x4x8xf32>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %2 = "qti_aisw.Relu"(%0) : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %3 = "qti_aisw.ReduceSum"(%2) <{axes = array<i64: 2>, keep_dims = false}> : (tensor<1x4x8xf32>) -> tensor<1x4xf32>
    "func.return"(%1, %3) : (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
