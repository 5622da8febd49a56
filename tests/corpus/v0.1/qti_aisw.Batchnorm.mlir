builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
    %y = qti_aisw.Batchnorm(%0, %1, %2) : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>):
    %y = "qti_aisw.Batchnorm"(%0, %1, %2) : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
