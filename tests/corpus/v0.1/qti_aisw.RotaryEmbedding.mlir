builtin.module {
  func.func @graph_0(%0: tensor<1x4x16x8xf32>, %1: tensor<16x8xf32>, %2: tensor<16x8xf32>) {
    %y = qti_aisw.RotaryEmbedding(%0, %1, %2) : (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16x8xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x4x16x8xf32>, %1: tensor<16x8xf32>, %2: tensor<16x8xf32>):
    %y = "qti_aisw.RotaryEmbedding"(%0, %1, %2) <{interleaved = false}> : (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
