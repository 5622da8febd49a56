builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>, %1: tensor<3x3x1x8xf32>) {
    %y = qti_aisw.DepthWiseConv2d(%0, %1) {pad_amount = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x8x8x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x5x5x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) {
    %2 = qti_aisw.DepthWiseConv2d(%0, %1) {pad_amount = array<i64: 1, 0, 2, 1>} : (tensor<1x5x5x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>, %1: tensor<3x3x1x8xf32>):
    %y = "qti_aisw.DepthWiseConv2d"(%0, %1) <{pad_amount = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x8x8x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x5x5x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>):
    %2 = "qti_aisw.DepthWiseConv2d"(%0, %1) <{pad_amount = array<i64: 1, 0, 2, 1>, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>}> : (tensor<1x5x5x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
