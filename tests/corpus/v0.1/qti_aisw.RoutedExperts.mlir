builtin.module {
  func.func @graph_0(%0: tensor<6x8xf32>, %1: tensor<6x4xf32>, %2: tensor<4x8x16xf32>, %3: tensor<4x16x8xf32>, %4: tensor<4x8x16xf32>) {
    %y = qti_aisw.RoutedExperts(%0, %1, %2, %3, gate = %4) {k = 2 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<4x8x16xf32>) -> tensor<6x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<3x4xf16>, %1: tensor<3x2xf16>, %2: tensor<2x4x5xf16>, %3: tensor<2x5x4xf16>) {
    %4 = qti_aisw.RoutedExperts(%0, %1, %2, %3) {k = 2 : i64} : (tensor<3x4xf16>, tensor<3x2xf16>, tensor<2x4x5xf16>, tensor<2x5x4xf16>) -> tensor<3x4xf16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<4x8x16xf32>) -> ()}> ({
  ^bb0(%0: tensor<6x8xf32>, %1: tensor<6x4xf32>, %2: tensor<4x8x16xf32>, %3: tensor<4x16x8xf32>, %4: tensor<4x8x16xf32>):
    %y = "qti_aisw.RoutedExperts"(%0, %1, %2, %3, %4) <{k = 2 : i64, activation = 3 : i64, routing = 2 : i64}> : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<4x8x16xf32>) -> tensor<6x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x4xf16>, tensor<3x2xf16>, tensor<2x4x5xf16>, tensor<2x5x4xf16>) -> ()}> ({
  ^bb0(%0: tensor<3x4xf16>, %1: tensor<3x2xf16>, %2: tensor<2x4x5xf16>, %3: tensor<2x5x4xf16>):
    %4 = "qti_aisw.RoutedExperts"(%0, %1, %2, %3) <{k = 2 : i64, activation = 3 : i64, routing = 2 : i64}> : (tensor<3x4xf16>, tensor<3x2xf16>, tensor<2x4x5xf16>, tensor<2x5x4xf16>) -> tensor<3x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
