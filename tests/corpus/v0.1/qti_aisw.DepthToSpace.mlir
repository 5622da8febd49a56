builtin.module {
  func.func @graph_0(%0: tensor<1x4x4x8xf32>) {
    %y = qti_aisw.DepthToSpace(%0) {block_size = array<i64: 2, 2>} : (tensor<1x4x4x8xf32>) -> tensor<1x8x8x2xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3x7x12xi32>) {
    %1 = qti_aisw.DepthToSpace(%0) {block_size = array<i64: 2, 2>} : (tensor<2x3x7x12xi32>) -> tensor<2x6x14x3xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3x7x12xf16>) {
    %1 = qti_aisw.DepthToSpace(%0) {block_size = array<i64: 2, 2>} : (tensor<2x3x7x12xf16>) -> tensor<2x6x14x3xf16>
    func.return
  }
  func.func @graph_3(%0: tensor<2x3x7x12x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.DepthToSpace(%0) {block_size = array<i64: 2, 2>, mode = 1 : i64} : (tensor<2x3x7x12x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x6x14x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x4x4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x4x4x8xf32>):
    %y = "qti_aisw.DepthToSpace"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<1x4x4x8xf32>) -> tensor<1x8x8x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3x7x12xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3x7x12xi32>):
    %1 = "qti_aisw.DepthToSpace"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<2x3x7x12xi32>) -> tensor<2x6x14x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3x7x12xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x3x7x12xf16>):
    %1 = "qti_aisw.DepthToSpace"(%0) <{block_size = array<i64: 2, 2>, mode = 0 : i64}> : (tensor<2x3x7x12xf16>) -> tensor<2x6x14x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x3x7x12x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x7x12x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.DepthToSpace"(%0) <{block_size = array<i64: 2, 2>, mode = 1 : i64}> : (tensor<2x3x7x12x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x6x14x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
