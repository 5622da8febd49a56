// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// A bias is added, then low numbers stand in the place of some scores: both are one mask.

// CHECK-LABEL: func.func @biased
// CHECK:       %[[M:.*]] = qti_aisw.ElementWiseSelect(%h, %low, %b)
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Attention(%q, %k, %k, mask = %[[M]]) :
// CHECK-NEXT:  func.return %[[Y]]
func.func @biased(%q: tensor<1x2x2x2xf32>, %k: tensor<1x2x3x2xf32>, %b: tensor<2x1x3xf32>, %h: tensor<2x3xi1>) -> tensor<1x2x2x2xf32> {
  %low = qti_aisw.Const dense<-3.0e38> : tensor<f32> -> tensor<f32>
  %t = qti_aisw.Transpose(%k) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %s = qti_aisw.MatMul(%q, %t) : (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %a = qti_aisw.ElementWiseAdd(%s, %b) : (tensor<1x2x2x3xf32>, tensor<2x1x3xf32>) -> tensor<1x2x2x3xf32>
  %f = qti_aisw.ElementWiseSelect(%h, %low, %a) : (tensor<2x3xi1>, tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %w = qti_aisw.Softmax(%f) {axis = 3 : i64} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = qti_aisw.MatMul(%w, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

// -----

// Weights that become 0 where the scores were low: the mask is -infinity there, and a query without a
// key has the value 0. What is added in front of a division is divided, too.

// CHECK-LABEL: func.func @filled_twice
// CHECK-DAG:   %[[B:.*]] = qti_aisw.ElementWiseDivide(%b, %two)
// CHECK-DAG:   %[[CLOSED:.*]] = qti_aisw.Const dense<"0x000080FF">
// CHECK:       %[[M:.*]] = qti_aisw.ElementWiseSelect(%h, %[[CLOSED]], %[[B]])
// CHECK-NEXT:  qti_aisw.Attention(%q, %k, %k, mask = %[[M]]) {scale = 5.0{{.*}}e-01 : f32}
func.func @filled_twice(%q: tensor<1x2x2x2xf32>, %k: tensor<1x2x3x2xf32>, %b: tensor<1x2x2x3xf32>, %h: tensor<2x3xi1>) -> tensor<1x2x2x2xf32> {
  %low = qti_aisw.Const dense<-1.0e4> : tensor<f32> -> tensor<f32>
  %zero = qti_aisw.Const dense<0.0> : tensor<f32> -> tensor<f32>
  %two = qti_aisw.Const dense<2.0> : tensor<f32> -> tensor<f32>
  %t = qti_aisw.Transpose(%k) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %s = qti_aisw.MatMul(%q, %t) : (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %a = qti_aisw.ElementWiseAdd(%s, %b) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %d = qti_aisw.ElementWiseDivide(%a, %two) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %f = qti_aisw.ElementWiseSelect(%h, %low, %d) : (tensor<2x3xi1>, tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %w = qti_aisw.Softmax(%f) {axis = 3 : i64} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %z = qti_aisw.ElementWiseSelect(%h, %zero, %w) : (tensor<2x3xi1>, tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = qti_aisw.MatMul(%z, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

// -----

// Batch and heads are one dim in the products, and apart in the mask: the queries, keys and values get
// the dims of the mask. Two masks are one.

// CHECK-LABEL: func.func @heads_apart
// CHECK-DAG:   %[[M:.*]] = qti_aisw.ElementWiseAdd(%b, %m)
// CHECK-DAG:   %[[Q:.*]] = qti_aisw.Reshape(%q)
// CHECK:       %[[Y:.*]] = qti_aisw.Attention(%[[Q]], {{.*}}, mask = %[[M]]) :
// CHECK-NEXT:  qti_aisw.Reshape(%[[Y]])
func.func @heads_apart(%q: tensor<4x2x2xf32>, %k: tensor<4x3x2xf32>, %b: tensor<2x1x3xf32>, %m: tensor<2x1x2x3xf32>) -> tensor<4x2x2xf32> {
  %t = qti_aisw.Transpose(%k) {perm = array<i64: 0, 2, 1>} : (tensor<4x3x2xf32>) -> tensor<4x2x3xf32>
  %s = qti_aisw.MatMul(%q, %t) : (tensor<4x2x2xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %r = qti_aisw.Reshape(%s) {shape = array<i64: 2, 2, 2, 3>} : (tensor<4x2x3xf32>) -> tensor<2x2x2x3xf32>
  %c = qti_aisw.ElementWiseAdd(%r, %b) : (tensor<2x2x2x3xf32>, tensor<2x1x3xf32>) -> tensor<2x2x2x3xf32>
  %a = qti_aisw.ElementWiseAdd(%c, %m) : (tensor<2x2x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x2x2x3xf32>
  %w = qti_aisw.Softmax(%a) {axis = 3 : i64} : (tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
  %p = qti_aisw.Reshape(%w) {shape = array<i64: 4, 2, 3>} : (tensor<2x2x2x3xf32>) -> tensor<4x2x3xf32>
  %y = qti_aisw.MatMul(%p, %k) : (tensor<4x2x3xf32>, tensor<4x3x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}
