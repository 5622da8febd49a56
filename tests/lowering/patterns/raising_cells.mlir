// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// A cell of one step is an Lstm: its first result is the hidden state, its second the cell's, which
// is read from outside, too. The gates, here in the order f i g o, go into the order of the op.

// CHECK-LABEL: func.func @cell
// CHECK:       %[[Y:.*]], %[[H:.*]], %[[C:.*]] = qti_aisw.Lstm(%{{.*}}, %{{.*}}, %{{.*}}, B = %{{.*}}, initial_h = %{{.*}}, initial_c = %{{.*}}) {hidden_size = 1 : i64}
// CHECK-NEXT:  %c2 = qti_aisw.Reshape(%[[C]])
// CHECK-NEXT:  %h2 = qti_aisw.Reshape(%[[H]])
// CHECK-NEXT:  func.return %h2, %c2
func.func @cell(%x: tensor<2x2xf32>, %h: tensor<2x1xf32>, %c: tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>) {
  %w = qti_aisw.Const dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32> -> tensor<4x2xf32>
  %r = qti_aisw.Const dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32> -> tensor<4x1xf32>
  %a = qti_aisw.FullyConnected(%x, %w) : (tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x4xf32>
  %b = qti_aisw.FullyConnected(%h, %r) : (tensor<2x1xf32>, tensor<4x1xf32>) -> tensor<2x4xf32>
  %s = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %f, %i, %g, %o = qti_aisw.Split(%s) {axis = 1 : i64, split_index = array<i64: 1, 2, 3>} : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %fs = qti_aisw.Sigmoid(%f) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %is = qti_aisw.Sigmoid(%i) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %os = qti_aisw.Sigmoid(%o) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %gt = qti_aisw.Tanh(%g) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %kept = qti_aisw.ElementWiseMultiply(%fs, %c) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %new = qti_aisw.ElementWiseMultiply(%is, %gt) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c2 = qti_aisw.ElementWiseAdd(%kept, %new) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %ct = qti_aisw.Tanh(%c2) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %h2 = qti_aisw.ElementWiseMultiply(%os, %ct) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  func.return %h2, %c2 : tensor<2x1xf32>, tensor<2x1xf32>
}
