builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x2xf32>) {
    %y = qti_aisw.SpaceToDepth(%0) {block_size = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x4x6x33xi32>) {
    %1 = qti_aisw.SpaceToDepth(%0) {block_size = array<i64: 2, 2>} : (tensor<2x4x6x33xi32>) -> tensor<2x2x3x132xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<2x4x6x33xf16>) {
    %1 = qti_aisw.SpaceToDepth(%0) {block_size = array<i64: 2, 2>} : (tensor<2x4x6x33xf16>) -> tensor<2x2x3x132xf16>
    func.return
  }
  func.func @graph_3(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.SpaceToDepth(%0) {block_size = array<i64: 2, 2>, mode = 1 : i64} : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x2xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x2xf32>):
    %y = "qti_aisw.SpaceToDepth"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x4x6x33xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33xi32>):
    %1 = "qti_aisw.SpaceToDepth"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<2x4x6x33xi32>) -> tensor<2x2x3x132xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x4x6x33xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33xf16>):
    %1 = "qti_aisw.SpaceToDepth"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<2x4x6x33xf16>) -> tensor<2x2x3x132xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.SpaceToDepth"(%0) <{block_size = array<i64: 2, 2>, mode = 1 : i64}> : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
