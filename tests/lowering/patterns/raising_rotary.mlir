// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "rotary embedding" | filecheck %s --check-prefix WHY

// x * cos plus x with its halves exchanged, one of them times -1, * sin.

// CHECK-LABEL: func.func @halves
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.RotaryEmbedding(%x, %c, %s)
// CHECK-NEXT:  func.return %[[Y]]
func.func @halves(%x: tensor<3x4xf32>, %c: tensor<3x4xf32>, %s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a, %b = qti_aisw.Split(%x) {axis = 1 : i64, split_index = array<i64: 2>} : (tensor<3x4xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %n = qti_aisw.ElementWiseNeg(%b) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %t = qti_aisw.Concat(%n, %a) {axis = 1 : i64} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %p = qti_aisw.ElementWiseMultiply(%t, %s) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %q = qti_aisw.ElementWiseMultiply(%x, %c) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = qti_aisw.ElementWiseAdd(%p, %q) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// -----

// Parts that are no halves stay.

// CHECK-LABEL: func.func @thirds
// CHECK:       qti_aisw.Concat
// WHY:         refused: EXTERNAL_CONSTRAINT(are_halves, "X", "First", "Second", "Axis"): {{.*}}; are_halves: Two parts are the halves of the data's last dim, which the axis is.
func.func @thirds(%x: tensor<3x4xf32>, %c: tensor<3x4xf32>, %s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a, %b = qti_aisw.Split(%x) {axis = 1 : i64, split_index = array<i64: 1>} : (tensor<3x4xf32>) -> (tensor<3x1xf32>, tensor<3x3xf32>)
  %n = qti_aisw.ElementWiseNeg(%b) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %t = qti_aisw.Concat(%n, %a) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %p = qti_aisw.ElementWiseMultiply(%t, %s) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %q = qti_aisw.ElementWiseMultiply(%x, %c) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = qti_aisw.ElementWiseAdd(%p, %q) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}
