// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "routed experts" | filecheck %s --check-prefix WHY

// Each row's two best experts, and the sum of their results, weighted by a Softmax of their scores.

// CHECK-LABEL: func.func @best
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64, activation = 0 : i64}
// CHECK-NEXT:  func.return %[[Y]]
func.func @best(%x: tensor<3x5xf32>, %s: tensor<3x6xf32>, %u: tensor<6x5x4xf32>, %d: tensor<6x4x7xf32>) -> tensor<3x7xf32> {
  %b, %i = qti_aisw.TopK(%s) {k = 2 : i64} : (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %n = qti_aisw.Cast(%i) {to = i64} : (tensor<3x2xi32>) -> tensor<3x2xi64>
  %w = qti_aisw.Softmax(%b) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %r = qti_aisw.Reshape(%x) {shape = array<i64: 3, 1, 1, 5>} : (tensor<3x5xf32>) -> tensor<3x1x1x5xf32>
  %g = qti_aisw.Gather(%u, %n) {axis = 0 : i64} : (tensor<6x5x4xf32>, tensor<3x2xi64>) -> tensor<3x2x5x4xf32>
  %m = qti_aisw.MatMul(%r, %g) : (tensor<3x1x1x5xf32>, tensor<3x2x5x4xf32>) -> tensor<3x2x1x4xf32>
  %h = qti_aisw.Reshape(%m) {shape = array<i64: 3, 2, 4>} : (tensor<3x2x1x4xf32>) -> tensor<3x2x4xf32>
  %a = qti_aisw.Relu(%h) : (tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %c = qti_aisw.Reshape(%a) {shape = array<i64: 3, 2, 1, 4>} : (tensor<3x2x4xf32>) -> tensor<3x2x1x4xf32>
  %o = qti_aisw.Gather(%d, %n) {axis = 0 : i64} : (tensor<6x4x7xf32>, tensor<3x2xi64>) -> tensor<3x2x4x7xf32>
  %p = qti_aisw.MatMul(%c, %o) : (tensor<3x2x1x4xf32>, tensor<3x2x4x7xf32>) -> tensor<3x2x1x7xf32>
  %q = qti_aisw.Reshape(%p) {shape = array<i64: 3, 2, 7>} : (tensor<3x2x1x7xf32>) -> tensor<3x2x7xf32>
  %v = qti_aisw.Reshape(%w) {shape = array<i64: 3, 2, 1>} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
  %z = qti_aisw.ElementWiseMultiply(%q, %v) : (tensor<3x2x7xf32>, tensor<3x2x1xf32>) -> tensor<3x2x7xf32>
  %y = qti_aisw.ReduceSum(%z) {axes = array<i64: 1>} : (tensor<3x2x7xf32>) -> tensor<3x7xf32>
  func.return %y : tensor<3x7xf32>
}

// -----

// The two worst are no experts.

// CHECK-LABEL: func.func @worst
// CHECK:       qti_aisw.TopK
// WHY:         refused: EQ(CONSTVAL_INT("Largest", 0), 1): 0 != 1
func.func @worst(%x: tensor<3x5xf32>, %s: tensor<3x6xf32>, %u: tensor<6x5x4xf32>, %d: tensor<6x4x7xf32>) -> tensor<3x7xf32> {
  %b, %i = qti_aisw.TopK(%s) {k = 2 : i64, largest = false} : (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %n = qti_aisw.Cast(%i) {to = i64} : (tensor<3x2xi32>) -> tensor<3x2xi64>
  %w = qti_aisw.Softmax(%b) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %r = qti_aisw.Reshape(%x) {shape = array<i64: 3, 1, 1, 5>} : (tensor<3x5xf32>) -> tensor<3x1x1x5xf32>
  %g = qti_aisw.Gather(%u, %n) {axis = 0 : i64} : (tensor<6x5x4xf32>, tensor<3x2xi64>) -> tensor<3x2x5x4xf32>
  %m = qti_aisw.MatMul(%r, %g) : (tensor<3x1x1x5xf32>, tensor<3x2x5x4xf32>) -> tensor<3x2x1x4xf32>
  %h = qti_aisw.Reshape(%m) {shape = array<i64: 3, 2, 4>} : (tensor<3x2x1x4xf32>) -> tensor<3x2x4xf32>
  %a = qti_aisw.Relu(%h) : (tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %c = qti_aisw.Reshape(%a) {shape = array<i64: 3, 2, 1, 4>} : (tensor<3x2x4xf32>) -> tensor<3x2x1x4xf32>
  %o = qti_aisw.Gather(%d, %n) {axis = 0 : i64} : (tensor<6x4x7xf32>, tensor<3x2xi64>) -> tensor<3x2x4x7xf32>
  %p = qti_aisw.MatMul(%c, %o) : (tensor<3x2x1x4xf32>, tensor<3x2x4x7xf32>) -> tensor<3x2x1x7xf32>
  %q = qti_aisw.Reshape(%p) {shape = array<i64: 3, 2, 7>} : (tensor<3x2x1x7xf32>) -> tensor<3x2x7xf32>
  %v = qti_aisw.Reshape(%w) {shape = array<i64: 3, 2, 1>} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
  %z = qti_aisw.ElementWiseMultiply(%q, %v) : (tensor<3x2x7xf32>, tensor<3x2x1xf32>) -> tensor<3x2x7xf32>
  %y = qti_aisw.ReduceSum(%z) {axes = array<i64: 1>} : (tensor<3x2x7xf32>) -> tensor<3x7xf32>
  func.return %y : tensor<3x7xf32>
}
