builtin.module {
  func.func @graph_0(%0: tensor<1x4x4x4xf32>, %1: tensor<2x2x4x8xf32>) {
    %y = qti_aisw.TransposeConv2d(%0, %1) {stride = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x8x8x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x3x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x2x4x3x!quant.uniform<u8:f32, 2.000000e-02:128>>) {
    %2 = qti_aisw.TransposeConv2d(%0, %1) : (tensor<1x3x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x2x4x3x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<1x4x4x3x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x4x4x4xf32>, tensor<2x2x4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x4x4x4xf32>, %1: tensor<2x2x4x8xf32>):
    %y = "qti_aisw.TransposeConv2d"(%0, %1) <{stride = array<i64: 2, 2>, output_padding = array<i64: 0, 0>, group = 1 : i64, pad_amount = array<i64: 0, 0, 0, 0>}> : (tensor<1x4x4x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x8x8x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x3x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x2x4x3x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x3x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x2x4x3x!quant.uniform<u8:f32, 2.000000e-02:128>>):
    %2 = "qti_aisw.TransposeConv2d"(%0, %1) <{output_padding = array<i64: 0, 0>, group = 1 : i64, stride = array<i64: 1, 1>, pad_amount = array<i64: 0, 0, 0, 0>}> : (tensor<1x3x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x2x4x3x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<1x4x4x3x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
