builtin.module {
  func.func @graph_0(%0: tensor<4x8xf32>) {
    %y = qti_aisw.BitCast(%0) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3xf16>) {
    %1 = qti_aisw.BitCast(%0) {to = i16} : (tensor<2x3xf16>) -> tensor<2x3xi16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3xi1>) {
    %1 = qti_aisw.BitCast(%0) {to = ui8} : (tensor<2x3xi1>) -> tensor<2x3xui8>
    func.return
  }
  func.func @graph_3(%0: tensor<2x3xi32>) {
    %1 = qti_aisw.BitCast(%0) {to = ui32} : (tensor<2x3xi32>) -> tensor<2x3xui32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x8xf32>):
    %y = "qti_aisw.BitCast"(%0) <{to = i32}> : (tensor<4x8xf32>) -> tensor<4x8xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf16>):
    %1 = "qti_aisw.BitCast"(%0) <{to = i16}> : (tensor<2x3xf16>) -> tensor<2x3xi16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi1>):
    %1 = "qti_aisw.BitCast"(%0) <{to = ui8}> : (tensor<2x3xi1>) -> tensor<2x3xui8>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi32>):
    %1 = "qti_aisw.BitCast"(%0) <{to = ui32}> : (tensor<2x3xi32>) -> tensor<2x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
