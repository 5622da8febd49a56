// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// Two products with a Softmax between them are an Attention. The factor of the scores is its scale, and
// what is added its mask; keys stand as the model has them, without the transposition of the product.

// CHECK-LABEL: func.func @masked
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Attention(%q, %k, %v, mask = %m) {scale = 5.0{{.*}}e-01 : f32} :
// CHECK-NEXT:  func.return %[[Y]]
func.func @masked(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x5x4xf32>, %v: tensor<1x2x5x6xf32>, %m: tensor<3x5xf32>) -> tensor<1x2x3x6xf32> {
  %two = qti_aisw.Const dense<2.0> : tensor<f32> -> tensor<f32>
  %t = qti_aisw.Transpose(%k) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x5x4xf32>) -> tensor<1x2x4x5xf32>
  %s = qti_aisw.MatMul(%q, %t) : (tensor<1x2x3x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x3x5xf32>
  %d = qti_aisw.ElementWiseDivide(%s, %two) : (tensor<1x2x3x5xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
  %a = qti_aisw.ElementWiseAdd(%d, %m) : (tensor<1x2x3x5xf32>, tensor<3x5xf32>) -> tensor<1x2x3x5xf32>
  %w = qti_aisw.Softmax(%a) {axis = 3 : i64} : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %y = qti_aisw.MatMul(%w, %v) : (tensor<1x2x3x5xf32>, tensor<1x2x5x6xf32>) -> tensor<1x2x3x6xf32>
  func.return %y : tensor<1x2x3x6xf32>
}

// -----

// A constant mask that leaves each query the keys up to its own is no tensor, but `last` = 0; factors of
// queries and keys are one scale.

// CHECK-LABEL: func.func @causal
// CHECK:       qti_aisw.Attention(%q, %k, %v) {scale = 2.5{{.*}}e-01 : f32, last = 0 : i64}
func.func @causal(%q: tensor<1x2x2x2xf32>, %k: tensor<1x2x2x2xf32>, %v: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %half = qti_aisw.Const dense<0.5> : tensor<f32> -> tensor<f32>
  %m = qti_aisw.Const dense<[[0.0, 0xFF800000], [0.0, 0.0]]> : tensor<2x2xf32> -> tensor<2x2xf32>
  %0 = qti_aisw.ElementWiseMultiply(%q, %half) : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %1 = qti_aisw.ElementWiseMultiply(%k, %half) : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %t = qti_aisw.Transpose(%1) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %s = qti_aisw.MatMul(%0, %t) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %a = qti_aisw.ElementWiseAdd(%s, %m) : (tensor<1x2x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2x2xf32>
  %w = qti_aisw.Softmax(%a) {axis = 3 : i64} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = qti_aisw.MatMul(%w, %v) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

// -----

// Heads that share keys need no copies of them.

// CHECK-LABEL: func.func @grouped
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Attention(%q, %k, %k) : (tensor<1x4x3x2xf32>, tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>)
// CHECK-NEXT:  func.return %[[Y]]
func.func @grouped(%q: tensor<1x4x3x2xf32>, %k: tensor<1x2x5x2xf32>) -> tensor<1x4x3x2xf32> {
  %0 = qti_aisw.Reshape(%k) {shape = array<i64: 1, 2, 1, 5, 2>} : (tensor<1x2x5x2xf32>) -> tensor<1x2x1x5x2xf32>
  %1 = qti_aisw.Tile(%0) {multiples = array<i64: 1, 1, 2, 1, 1>} : (tensor<1x2x1x5x2xf32>) -> tensor<1x2x2x5x2xf32>
  %2 = qti_aisw.Reshape(%1) {shape = array<i64: 1, 4, 5, 2>} : (tensor<1x2x2x5x2xf32>) -> tensor<1x4x5x2xf32>
  %t = qti_aisw.Transpose(%2) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x2x5xf32>
  %s = qti_aisw.MatMul(%q, %t) : (tensor<1x4x3x2xf32>, tensor<1x4x2x5xf32>) -> tensor<1x4x3x5xf32>
  %w = qti_aisw.Softmax(%s) {axis = 3 : i64} : (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
  %y = qti_aisw.MatMul(%w, %2) : (tensor<1x4x3x5xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x3x2xf32>
  func.return %y : tensor<1x4x3x2xf32>
}
