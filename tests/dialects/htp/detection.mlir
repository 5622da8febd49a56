// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// NonMaxSuppression takes thresholds and the most boxes of a class as params.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%b: tensor<1x1x8x4xf32>, %s: tensor<1x1x2x8xf32>) {
  %iou = htp.Const dense<0.5> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %least = htp.Const dense<0.25> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %most = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: %{{.*}}, %{{.*}} = htp.NonMaxSuppression(%b, %s,
  // GENERIC: "htp.NonMaxSuppression"
  %i, %n = htp.NonMaxSuppression(%b, %s, %iou, %least, %most) : (tensor<1x1x8x4xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)
  func.return
}

// -----

// ERROR: htp.NonMaxSuppression: operand 'boxes' is 1x1x8x5, it must be 1xbxnx4
%b, %s, %t = "test.op"() : () -> (tensor<1x1x8x5xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>)
%most = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%i, %n = htp.NonMaxSuppression(%b, %s, %t, %t, %most) : (tensor<1x1x8x5xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)

// -----

// ERROR: htp.NonMaxSuppression: operand 'scores' is 1x1x2x9, the boxes give 1x1x2x8
%b, %s, %t = "test.op"() : () -> (tensor<1x1x8x4xf32>, tensor<1x1x2x9xf32>, tensor<1x1x1x1xf32>)
%most = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%i, %n = htp.NonMaxSuppression(%b, %s, %t, %t, %most) : (tensor<1x1x8x4xf32>, tensor<1x1x2x9xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)
