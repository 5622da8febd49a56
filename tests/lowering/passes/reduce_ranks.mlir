// RUN: htp-opt %s -p qti-reduce-ranks --split-input-file | filecheck %s
// RUN: htp-opt %s -p htp-lower --split-input-file | filecheck %s --check-prefix LOWERED

// Queries, keys and values of one projection, as nn.MultiheadAttention is exported. Reshape,
// Transpose and Reshape become one Transpose: dims of extent 1 go, and neighbours merge.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:  %[[ROWS:.*]] = qti_aisw.Reshape(%x) {{.*}} -> tensor<7x2x3x32xf32>
// CHECK-NEXT:  %[[PARTS:.*]] = qti_aisw.Transpose(%[[ROWS]]) {perm = array<i64: 2, 0, 1, 3>}
// CHECK-NEXT:  func.return %[[PARTS]]
// LOWERED:     htp.Transpose
// LOWERED-NOT: htp.Transpose
// LOWERED:     func.return
func.func @main(%x: tensor<7x2x96xf32>) -> tensor<3x7x2x32xf32> {
  %0 = qti_aisw.Reshape(%x) {shape = array<i64: 1, 7, 2, 3, 32>} : (tensor<7x2x96xf32>) -> tensor<1x7x2x3x32xf32>
  %1 = qti_aisw.Transpose(%0) {perm = array<i64: 3, 1, 2, 0, 4>} : (tensor<1x7x2x3x32xf32>) -> tensor<3x7x2x1x32xf32>
  %2 = qti_aisw.Reshape(%1) {shape = array<i64: 3, 7, 2, 32>} : (tensor<3x7x2x1x32xf32>) -> tensor<3x7x2x32xf32>
  func.return %2 : tensor<3x7x2x32xf32>
}

// -----

// Six dims that all part take two moves of four blocks each. The first dim of the result comes to the
// front at once.

// CHECK-LABEL: func.func @main
// CHECK:       qti_aisw.Transpose({{.*}}) {perm = array<i64: 3, 2, 1, 0>} : (tensor<24x5x6x7xf32>)
// CHECK:       qti_aisw.Transpose({{.*}}) {perm = array<i64: 0, 3, 2, 1>} : (tensor<210x2x3x4xf32>)
// CHECK-NOT:   qti_aisw.Transpose
func.func @main(%x: tensor<2x3x4x5x6x7xf32>) -> tensor<7x6x5x4x3x2xf32> {
  %0 = qti_aisw.Transpose(%x) {perm = array<i64: 5, 4, 3, 2, 1, 0>} : (tensor<2x3x4x5x6x7xf32>) -> tensor<7x6x5x4x3x2xf32>
  func.return %0 : tensor<7x6x5x4x3x2xf32>
}

// -----

// An axis moves with its dim, and values for each dim go to the dims that they change. A slice of
// dims apart takes them one after the other.

// CHECK-LABEL: func.func @main
// CHECK:       qti_aisw.Softmax({{.*}}) {axis = 1 : i64
// CHECK-SAME:  (tensor<6x4x5x6xf32>)
// CHECK:       qti_aisw.StridedSlice({{.*}}) {ranges = array<i64: 0, 1, 1, 0, 12, 1, 0, 5, 1, 0, 6, 1>}
// CHECK:       qti_aisw.StridedSlice({{.*}}) {ranges = array<i64: 0, 3, 1, 1, 4, 2, 0, 5, 1, 0, 6, 1>}
// CHECK:       qti_aisw.StridedSlice({{.*}}) {ranges = array<i64: 0, 3, 1, 0, 2, 1, 0, 5, 1, 5, -1, -1>}
func.func @main(%x: tensor<2x3x4x5x6xf32>) -> tensor<1x3x2x5x6xf32> {
  %0 = qti_aisw.Softmax(%x) {axis = 2 : i64} : (tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  %1 = qti_aisw.StridedSlice(%0) {ranges = array<i64: 0, 1, 1, 0, 3, 1, 1, 4, 2, 0, 5, 1, 5, -1, -1>} : (tensor<2x3x4x5x6xf32>) -> tensor<1x3x2x5x6xf32>
  func.return %1 : tensor<1x3x2x5x6xf32>
}

// -----

// A sum over dims apart stays one sum, over dims that a Transpose brings together.

// CHECK-LABEL: func.func @main
// CHECK:       qti_aisw.Transpose
// CHECK:       qti_aisw.ReduceSum
// CHECK-NOT:   qti_aisw.ReduceSum
func.func @main(%x: tensor<2x3x4x5x6xf32>) -> tensor<2x4x6xf32> {
  %0 = qti_aisw.ReduceSum(%x) {axes = array<i64: 1, 3>} : (tensor<2x3x4x5x6xf32>) -> tensor<2x4x6xf32>
  func.return %0 : tensor<2x4x6xf32>
}

// -----

// Operands that are stretched along different dims: one is repeated along one dim, so that the
// rest merges.

// CHECK-LABEL: func.func @main
// CHECK:       qti_aisw.Tile
// CHECK:       qti_aisw.ElementWiseAdd
func.func @main(%a: tensor<2x3x4x5x6xf32>, %b: tensor<2x1x4x1x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %0 = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x3x4x5x6xf32>, tensor<2x1x4x1x6xf32>) -> tensor<2x3x4x5x6xf32>
  func.return %0 : tensor<2x3x4x5x6xf32>
}
