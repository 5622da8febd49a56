builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.Custom(%0) {op_type = "MaxPool_valid", package = "MaxPoolPackage", params = {window = array<i64: 1, 2, 2, 1>}} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.Custom"(%0) <{op_type = "MaxPool_valid", package = "MaxPoolPackage", params = {window = array<i64: 1, 2, 2, 1>}}> : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
