// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "paged attention" | filecheck %s --check-prefix WHY

// Attention to keys and values that are gathered by the numbers of pages.

// CHECK-LABEL: func.func @pages
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.PagedAttention(%q, %k, %v, %t) {scale = 5.000000e-01 : f32}
// CHECK-NEXT:  func.return %[[Y]]
func.func @pages(%q: tensor<1x2x3x4xf32>, %k: tensor<5x2x2x4xf32>, %v: tensor<5x2x2x4xf32>, %t: tensor<1x2xi32>) -> tensor<1x2x3x4xf32> {
  %a = qti_aisw.Gather(%k, %t) {axis = 0 : i64} : (tensor<5x2x2x4xf32>, tensor<1x2xi32>) -> tensor<1x2x2x2x4xf32>
  %b = qti_aisw.Gather(%v, %t) {axis = 0 : i64} : (tensor<5x2x2x4xf32>, tensor<1x2xi32>) -> tensor<1x2x2x2x4xf32>
  %c = qti_aisw.Reshape(%a) {shape = array<i64: 1, 4, 2, 4>} : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x2x4xf32>
  %d = qti_aisw.Reshape(%b) {shape = array<i64: 1, 4, 2, 4>} : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x2x4xf32>
  %e = qti_aisw.Transpose(%c) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x4xf32>) -> tensor<1x2x4x4xf32>
  %f = qti_aisw.Transpose(%d) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x4xf32>) -> tensor<1x2x4x4xf32>
  %y = qti_aisw.Attention(%q, %e, %f) {scale = 0.5 : f32} : (tensor<1x2x3x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x3x4xf32>
  func.return %y : tensor<1x2x3x4xf32>
}

// -----

// Keys whose numbers are taken for heads are no pages.

// CHECK-LABEL: func.func @numbers
// CHECK:       qti_aisw.Attention
// WHY:         refused: EXTERNAL_CONSTRAINT(joins_pages, "AllKeys", "RowsKeys", "GatheredKeys", "Keys", "Table"): {{.*}}; joins_pages: Pages [p, s, g, e] are gathered by their numbers, joined, and their heads put in front.
func.func @numbers(%q: tensor<1x2x3x4xf32>, %k: tensor<5x2x2x4xf32>, %v: tensor<5x2x2x4xf32>, %t: tensor<1x2xi32>) -> tensor<1x2x3x4xf32> {
  %a = qti_aisw.Gather(%k, %t) {axis = 0 : i64} : (tensor<5x2x2x4xf32>, tensor<1x2xi32>) -> tensor<1x2x2x2x4xf32>
  %b = qti_aisw.Gather(%v, %t) {axis = 0 : i64} : (tensor<5x2x2x4xf32>, tensor<1x2xi32>) -> tensor<1x2x2x2x4xf32>
  %c = qti_aisw.Reshape(%a) {shape = array<i64: 1, 4, 4, 2>} : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x4x2xf32>
  %d = qti_aisw.Reshape(%b) {shape = array<i64: 1, 4, 2, 4>} : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x2x4xf32>
  %e = qti_aisw.Transpose(%c) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
  %f = qti_aisw.Transpose(%d) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x4xf32>) -> tensor<1x2x4x4xf32>
  %y = qti_aisw.Attention(%q, %e, %f) {scale = 0.5 : f32} : (tensor<1x2x3x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x3x4xf32>
  func.return %y : tensor<1x2x3x4xf32>
}
