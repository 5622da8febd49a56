// RUN: htp-opt %s -p 'qti-raise-block-ops{reset=reset}' | filecheck %s
// RUN: htp-opt %s -p qti-raise-block-ops 2>&1 | filecheck %s --check-prefix NOTE
// RUN: htp rules explain %s -p qti-raise-block-ops --rule "softmax with whole numbers@e" | filecheck %s --check-prefix WHOLE
// RUN: htp rules explain %s -p qti-raise-block-ops --rule "softmax of kept columns@f" | filecheck %s --check-prefix FAR

// Truth values, 1 where a column counts, become numbers to add: 0 and -10000. These are whole, and
// go into the mask as they are.

// CHECK-LABEL: @numbers(
// CHECK:       %[[ADDED:.*]] = qti_aisw.ElementWiseMultiply(
// CHECK:       %[[MASK:.*]] = qti_aisw.Cast(%[[ADDED]]) {to = i32}
// CHECK-NEXT:  %[[ROWS:.*]] = qti_aisw.Reshape(%[[MASK]]) {shape = array<i64: 2, 4>}
// CHECK-NEXT:  %y = qti_aisw.MaskedSoftmax(%x, %[[ROWS]])
// CHECK-NEXT:  func.return %y
func.func @numbers(%x: tensor<2x3x4x4xf32>, %keep: tensor<2x1x1x4xi1>) -> tensor<2x3x4x4xf32> {
  %one = qti_aisw.Const dense<1.0> : tensor<f32> -> tensor<f32>
  %far = qti_aisw.Const dense<-10000.0> : tensor<f32> -> tensor<f32>
  %k = qti_aisw.Cast(%keep) {to = f32} : (tensor<2x1x1x4xi1>) -> tensor<2x1x1x4xf32>
  %n = qti_aisw.ElementWiseSubtract(%one, %k) : (tensor<f32>, tensor<2x1x1x4xf32>) -> tensor<2x1x1x4xf32>
  %m = qti_aisw.ElementWiseMultiply(%n, %far) : (tensor<2x1x1x4xf32>, tensor<f32>) -> tensor<2x1x1x4xf32>
  %s = qti_aisw.ElementWiseAdd(%m, %x) : (tensor<2x1x1x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = qti_aisw.Softmax(%s) {axis = 3 : i64} : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  func.return %y : tensor<2x3x4x4xf32>
}

// Where a number stands in the place of scores, truth values choose between 0 and -2^30.

// CHECK-LABEL: @choice(
// CHECK:       %[[MASK:.*]] = qti_aisw.ElementWiseSelect(%keep, %{{.*}}, %{{.*}}) : {{.*}} -> tensor<2x1x1x4xi32>
// CHECK-NEXT:  %[[ROWS:.*]] = qti_aisw.Reshape(%[[MASK]]) {shape = array<i64: 2, 4>}
// CHECK-NEXT:  %y = qti_aisw.MaskedSoftmax(%x, %[[ROWS]])
func.func @choice(%x: tensor<2x3x4x4xf32>, %keep: tensor<2x1x1x4xi1>) -> tensor<2x3x4x4xf32> {
  %far = qti_aisw.Const dense<-1.0e9> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.ElementWiseSelect(%keep, %x, %far) : (tensor<2x1x1x4xi1>, tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x4x4xf32>
  %y = qti_aisw.Softmax(%s) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  func.return %y : tensor<2x3x4x4xf32>
}

// Near misses: any float may be in %m, and -9.0 lets a part of the score through.

// WHOLE: %e = qti_aisw.Softmax: refused: EXTERNAL_CONSTRAINT(whole_numbers, "M"): {{.*}} whole_numbers: The values are whole numbers, by the constants and the casts that they come from.
// FAR: %f = qti_aisw.Softmax: refused: LE(CONSTVAL_FLOAT("Else", 0), -10000.0): -9.0 > -10000.0
func.func @left(%x: tensor<2x3x4x4xf32>, %m: tensor<2x1x1x4xf32>, %keep: tensor<2x1x1x4xi1>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) {
  %s = qti_aisw.ElementWiseAdd(%x, %m) : (tensor<2x3x4x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x3x4x4xf32>
  %e = qti_aisw.Softmax(%s) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %low = qti_aisw.Const dense<-9.0> : tensor<f32> -> tensor<f32>
  %t = qti_aisw.ElementWiseSelect(%keep, %x, %low) : (tensor<2x1x1x4xi1>, tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x4x4xf32>
  %f = qti_aisw.Softmax(%t) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  func.return %e, %f : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>
}

// A state that goes in and out of the model is kept; what is fed counts at first and on a reset.

// CHECK-LABEL: @threaded(
// CHECK-SAME:  %reset: tensor<i1> {htp.name = "reset"}
// CHECK:       %y, %h = qti_aisw.StatefulGru(%x, %w, %r, initial_h = %h0, reset = %reset)
func.func @threaded(%x: tensor<5x2x4xf32>, %h0: tensor<1x2x8xf32>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>) {
  %y, %h = qti_aisw.Gru(%x, %w, %r, initial_h = %h0) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<1x2x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  func.return %y, %h : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>
}

// The last state of this one is lost.

// NOTE: note: {{.*}}: the state after it is no output of the model in the shape of initial_h; it keeps no state from one inference to the next
func.func @lost(%x: tensor<5x2x4xf32>, %h0: tensor<1x2x8xf32>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>) -> tensor<5x1x2x8xf32> {
  %y, %h = qti_aisw.Gru(%x, %w, %r, initial_h = %h0) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<1x2x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  func.return %y : tensor<5x1x2x8xf32>
}

// The body of StatefulGru, which a tool wrote out: it reads its data through a choice that is none.

// CHECK-LABEL: @written_out(
// CHECK-NOT:   qti_aisw.ElementWiseSelect
// CHECK:       %y, %h = qti_aisw.StatefulGru(%x, %w, %r, reset = %begin)
func.func @written_out(%x: tensor<5x2x4xf32>, %begin: tensor<i1>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>) -> tensor<5x1x2x8xf32> {
  %known = qti_aisw.ElementWiseSelect(%begin, %x, %x) : (tensor<i1>, tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  %y, %h = qti_aisw.Gru(%known, %w, %r) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  func.return %y : tensor<5x1x2x8xf32>
}

// The body of MaskedSoftmax takes all columns of its mask, and gives it the rank of the scores.

// CHECK-LABEL: @written_out_mask(
// CHECK:       %[[ROWS:.*]] = qti_aisw.Reshape(%mask) {shape = array<i64: 2, 4>}
// CHECK-NEXT:  %y = qti_aisw.MaskedSoftmax(%x, %[[ROWS]])
func.func @written_out_mask(%x: tensor<2x3x4x4xf32>, %mask: tensor<2x4xi32>) -> tensor<2x3x4x4xf32> {
  %places = qti_aisw.Const dense<[0, 1, 2, 3]> : tensor<4xi32> -> tensor<4xi32>
  %typed = qti_aisw.Cast(%mask) {to = f32} : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %whole = qti_aisw.Gather(%typed, %places) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<4xi32>) -> tensor<2x4xf32>
  %addend = qti_aisw.Reshape(%whole) {shape = array<i64: 2, 1, 1, 4>} : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
  %s = qti_aisw.ElementWiseAdd(%x, %addend) : (tensor<2x3x4x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x3x4x4xf32>
  %y = qti_aisw.Softmax(%s) : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  func.return %y : tensor<2x3x4x4xf32>
}
