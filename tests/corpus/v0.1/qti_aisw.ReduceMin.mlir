builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.ReduceMin(%0) {axes = array<i64: 3>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<3x4xi32>) {
    %1 = qti_aisw.ReduceMin(%0) {axes = array<i64: 0>} : (tensor<3x4xi32>) -> tensor<4xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>) {
    %1 = qti_aisw.ReduceMin(%0) {axes = array<i64: 1>} : (tensor<3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>) -> tensor<3x!quant.uniform<u8:f32, 1.000000e-02:10>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.ReduceMin"(%0) <{axes = array<i64: 3>, keep_dims = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x8x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>):
    %1 = "qti_aisw.ReduceMin"(%0) <{axes = array<i64: 0>, keep_dims = false}> : (tensor<3x4xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>) -> ()}> ({
  ^bb0(%0: tensor<3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>):
    %1 = "qti_aisw.ReduceMin"(%0) <{axes = array<i64: 1>, keep_dims = false}> : (tensor<3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>) -> tensor<3x!quant.uniform<u8:f32, 1.000000e-02:10>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
