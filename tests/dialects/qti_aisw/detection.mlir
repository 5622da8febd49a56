// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// NonMaxSuppression of 2 classes: the result has a row for each box that may be taken, which is all
// 8 boxes where so many may be, and the number of rows that are.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = qti_aisw.NonMaxSuppression(%b, %s) {iou_threshold = 5.000000e-01 : f32, max_boxes_selected = 3 : i64} : {{.*}} -> (tensor<6x3xi32>, tensor<1xi32>)
  // GENERIC: "qti_aisw.NonMaxSuppression"(%{{.*}}, %{{.*}}) <{iou_threshold = 5.000000e-01 : f32, max_boxes_selected = 3 : i64, score_threshold = 0.000000e+00 : f32}>
  %i, %n = qti_aisw.NonMaxSuppression(%b, %s) {iou_threshold = 0.5 : f32, max_boxes_selected = 3 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> (tensor<6x3xi32>, tensor<1xi32>)
  // CHECK: qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = 99 : i64} : {{.*}} -> (tensor<16x3xi32>, tensor<1xi32>)
  %j, %m = qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = 99 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> (tensor<16x3xi32>, tensor<1xi32>)
  func.return
}

// -----

// ERROR: qti_aisw.NonMaxSuppression: (C1) operand 'scores' is Float16, 'boxes' is Float32; they must be equal
%b, %s = "test.op"() : () -> (tensor<1x8x4xf32>, tensor<1x2x8xf16>)
%i, %n = qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = 1 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf16>) -> (tensor<2x3xi32>, tensor<1xi32>)

// -----

// ERROR: qti_aisw.NonMaxSuppression: (C2) operand 'boxes' has 5 numbers in its last dim, it must have 4
%b, %s = "test.op"() : () -> (tensor<1x8x5xf32>, tensor<1x2x8xf32>)
%i, %n = qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = 1 : i64} : (tensor<1x8x5xf32>, tensor<1x2x8xf32>) -> (tensor<2x3xi32>, tensor<1xi32>)

// -----

// ERROR: qti_aisw.NonMaxSuppression: (C3) operand 'scores' has shape 1x2x9, the others give 1x2x8
%b, %s = "test.op"() : () -> (tensor<1x8x4xf32>, tensor<1x2x9xf32>)
%i, %n = qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = 1 : i64} : (tensor<1x8x4xf32>, tensor<1x2x9xf32>) -> (tensor<2x3xi32>, tensor<1xi32>)

// -----

// ERROR: qti_aisw.NonMaxSuppression: (C4) param 'max_boxes_selected' is -1, it must be >= 0
%b, %s = "test.op"() : () -> (tensor<1x8x4xf32>, tensor<1x2x8xf32>)
%i, %n = qti_aisw.NonMaxSuppression(%b, %s) {max_boxes_selected = -1 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> (tensor<2x3xi32>, tensor<1xi32>)
