builtin.module {
  func.func @graph_0(%0: tensor<4x10xf32>, %1: tensor<4xi32>) {
    %y = qti_aisw.SoftmaxCrossEntropy(%0, %1) {reduction = 1 : i64} : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>
    func.return
  }
  func.func @graph_1(%0: tensor<6x9xf16>, %1: tensor<6xi32>) {
    %2 = qti_aisw.SoftmaxCrossEntropy(%0, %1) {reduction = 1 : i64} : (tensor<6x9xf16>, tensor<6xi32>) -> tensor<f16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x10xf32>, tensor<4xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x10xf32>, %1: tensor<4xi32>):
    %y = "qti_aisw.SoftmaxCrossEntropy"(%0, %1) <{reduction = 1 : i64, axis = -1 : i64, ignored = -2147483648 : i64}> : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<6x9xf16>, tensor<6xi32>) -> ()}> ({
  ^bb0(%0: tensor<6x9xf16>, %1: tensor<6xi32>):
    %2 = "qti_aisw.SoftmaxCrossEntropy"(%0, %1) <{reduction = 1 : i64, axis = -1 : i64, ignored = -2147483648 : i64}> : (tensor<6x9xf16>, tensor<6xi32>) -> tensor<f16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
