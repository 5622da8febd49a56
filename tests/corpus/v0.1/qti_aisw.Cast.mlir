builtin.module {
  func.func @graph_0(%0: tensor<4x8xf32>) {
    %y = qti_aisw.Cast(%0) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3xf32>) {
    %1 = qti_aisw.Cast(%0) {to = f16} : (tensor<2x3xf32>) -> tensor<2x3xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3xf32>) {
    %1 = qti_aisw.Cast(%0) {to = i8} : (tensor<2x3xf32>) -> tensor<2x3xi8>
    func.return
  }
  func.func @graph_3(%0: tensor<2x3xf32>) {
    %1 = qti_aisw.Cast(%0) {to = i1} : (tensor<2x3xf32>) -> tensor<2x3xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<2x3xf32>) {
    %1 = qti_aisw.Cast(%0) {to = ui8} : (tensor<2x3xf32>) -> tensor<2x3xui8>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x8xf32>):
    %y = "qti_aisw.Cast"(%0) <{to = i32}> : (tensor<4x8xf32>) -> tensor<4x8xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf32>):
    %1 = "qti_aisw.Cast"(%0) <{to = f16}> : (tensor<2x3xf32>) -> tensor<2x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf32>):
    %1 = "qti_aisw.Cast"(%0) <{to = i8}> : (tensor<2x3xf32>) -> tensor<2x3xi8>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf32>):
    %1 = "qti_aisw.Cast"(%0) <{to = i1}> : (tensor<2x3xf32>) -> tensor<2x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf32>):
    %1 = "qti_aisw.Cast"(%0) <{to = ui8}> : (tensor<2x3xf32>) -> tensor<2x3xui8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
