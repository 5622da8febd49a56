builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xi1>, %1: tensor<4xi1>) {
    %y = qti_aisw.ElementWiseOr(%0, %1) : (tensor<1x8x8x4xi1>, tensor<4xi1>) -> tensor<1x8x8x4xi1>
    func.return
  }
  func.func @graph_1(%0: tensor<3x4xi32>, %1: tensor<4xi32>) {
    %2 = qti_aisw.ElementWiseOr(%0, %1) : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<3x4xui16>, %1: tensor<4xui16>) {
    %2 = qti_aisw.ElementWiseOr(%0, %1) : (tensor<3x4xui16>, tensor<4xui16>) -> tensor<3x4xui16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xi1>, tensor<4xi1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xi1>, %1: tensor<4xi1>):
    %y = "qti_aisw.ElementWiseOr"(%0, %1) : (tensor<1x8x8x4xi1>, tensor<4xi1>) -> tensor<1x8x8x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x4xi32>, tensor<4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>, %1: tensor<4xi32>):
    %2 = "qti_aisw.ElementWiseOr"(%0, %1) : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x4xui16>, tensor<4xui16>) -> ()}> ({
  ^bb0(%0: tensor<3x4xui16>, %1: tensor<4xui16>):
    %2 = "qti_aisw.ElementWiseOr"(%0, %1) : (tensor<3x4xui16>, tensor<4xui16>) -> tensor<3x4xui16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
