builtin.module {
  func.func @graph_0(%0: tensor<5x2x4xf32>, %1: tensor<2x24x4xf32>, %2: tensor<2x24x8xf32>, %3: tensor<2x2x8xf32>, %4: tensor<1xi1>) {
    %y, %h = qti_aisw.StatefulGru(%0, %1, %2, initial_h = %3, reset = %4) {direction = #qti_aisw.direction<bidirectional>, hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>, tensor<2x2x8xf32>, tensor<1xi1>) -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
    func.return
  }
  func.func @graph_1(%0: tensor<5x2x3xf32>, %1: tensor<1x12x3xf32>, %2: tensor<1x12x4xf32>, %3: tensor<1x24xf32>, %4: tensor<2xi32>, %5: tensor<1x2x4xf32>, %6: tensor<1xi1>) {
    %7, %8 = qti_aisw.StatefulGru(%0, %1, %2, B = %3, sequence_lens = %4, initial_h = %5, reset = %6) {hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<2xi32>, tensor<1x2x4xf32>, tensor<1xi1>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    func.return
  }
  func.func @graph_2(%0: tensor<5x2x3xf32>, %1: tensor<1x12x3xf32>, %2: tensor<1x12x4xf32>, %3: tensor<1x24xf32>, %4: tensor<i1>) {
    %5, %6 = qti_aisw.StatefulGru(%0, %1, %2, B = %3, reset = %4) {hidden_size = 4 : i64, clip = 2.000000e-01 : f32} : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<i1>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    func.return
  }
  func.func @graph_3(%0: tensor<5x2x3xf16>, %1: tensor<1x12x3xf16>, %2: tensor<1x12x4xf16>, %3: tensor<1x24xf16>) {
    %4, %5 = qti_aisw.StatefulGru(%0, %1, %2, B = %3) {hidden_size = 4 : i64} : (tensor<5x2x3xf16>, tensor<1x12x3xf16>, tensor<1x12x4xf16>, tensor<1x24xf16>) -> (tensor<5x1x2x4xf16>, tensor<1x2x4xf16>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<5x2x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>, tensor<2x2x8xf32>, tensor<1xi1>) -> ()}> ({
  ^bb0(%0: tensor<5x2x4xf32>, %1: tensor<2x24x4xf32>, %2: tensor<2x24x8xf32>, %3: tensor<2x2x8xf32>, %4: tensor<1xi1>):
    %y, %h = "qti_aisw.StatefulGru"(%0, %1, %2, %3, %4) <{direction = #qti_aisw.direction<bidirectional>, hidden_size = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1>, linear_before_reset = 0 : i64}> : (tensor<5x2x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>, tensor<2x2x8xf32>, tensor<1xi1>) -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<2xi32>, tensor<1x2x4xf32>, tensor<1xi1>) -> ()}> ({
  ^bb0(%0: tensor<5x2x3xf32>, %1: tensor<1x12x3xf32>, %2: tensor<1x12x4xf32>, %3: tensor<1x24xf32>, %4: tensor<2xi32>, %5: tensor<1x2x4xf32>, %6: tensor<1xi1>):
    %7, %8 = "qti_aisw.StatefulGru"(%0, %1, %2, %3, %4, %5, %6) <{hidden_size = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>, linear_before_reset = 0 : i64, direction = #qti_aisw.direction<forward>}> : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<2xi32>, tensor<1x2x4xf32>, tensor<1xi1>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<5x2x3xf32>, %1: tensor<1x12x3xf32>, %2: tensor<1x12x4xf32>, %3: tensor<1x24xf32>, %4: tensor<i1>):
    %5, %6 = "qti_aisw.StatefulGru"(%0, %1, %2, %3, %4) <{hidden_size = 4 : i64, clip = 2.000000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1>, linear_before_reset = 0 : i64, direction = #qti_aisw.direction<forward>}> : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<i1>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<5x2x3xf16>, tensor<1x12x3xf16>, tensor<1x12x4xf16>, tensor<1x24xf16>) -> ()}> ({
  ^bb0(%0: tensor<5x2x3xf16>, %1: tensor<1x12x3xf16>, %2: tensor<1x12x4xf16>, %3: tensor<1x24xf16>):
    %4, %5 = "qti_aisw.StatefulGru"(%0, %1, %2, %3) <{hidden_size = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0>, linear_before_reset = 0 : i64, direction = #qti_aisw.direction<forward>}> : (tensor<5x2x3xf16>, tensor<1x12x3xf16>, tensor<1x12x4xf16>, tensor<1x24xf16>) -> (tensor<5x1x2x4xf16>, tensor<1x2x4xf16>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
