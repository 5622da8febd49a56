// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// Mean, difference, square, mean, epsilon, root and quotient are a LayerNorm, in any order of sums and
// products; the factor and the summand behind it become gamma and beta.

// CHECK-LABEL: func.func @layer_norm
// CHECK-DAG:   %[[G:.*]] = qti_aisw.Const dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK-DAG:   %[[B:.*]] = qti_aisw.Const dense<[3.0{{.*}}, 4.0{{.*}}]>
// CHECK:       %[[Y:.*]] = qti_aisw.LayerNorm(%x, gamma = %[[G]], beta = %[[B]]) {axes = array<i64: -1>, epsilon = 1.0{{.*}}e-03 : f32}
// CHECK-NEXT:  func.return %[[Y]]
func.func @layer_norm(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %e = qti_aisw.Const dense<0.001> : tensor<f32> -> tensor<f32>
  %g = qti_aisw.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %b = qti_aisw.Const dense<[3.0, 4.0]> : tensor<2xf32> -> tensor<2xf32>
  %m = qti_aisw.ReduceMean(%x) {axes = array<i64: -1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %d = qti_aisw.ElementWiseSubtract(%x, %m) : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %s = qti_aisw.ElementWiseMultiply(%d, %d) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %v = qti_aisw.ReduceMean(%s) {axes = array<i64: -1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %w = qti_aisw.ElementWiseAdd(%e, %v) : (tensor<f32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %r = qti_aisw.ElementWiseSquareRoot(%w) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %q = qti_aisw.ElementWiseDivide(%d, %r) : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %p = qti_aisw.ElementWiseMultiply(%g, %q) : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = qti_aisw.ElementWiseAdd(%b, %p) : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// Without the mean it is an RmsNorm; a power of 2 is a square, and 1 / sqrt(x) one op.

// CHECK-LABEL: func.func @rms_norm
// CHECK:       %[[Y:.*]] = qti_aisw.RmsNorm(%x, %{{.*}}, beta = %{{.*}}) {axes = array<i64: 1>, epsilon = 1.0{{.*}}e-03 : f32}
// CHECK-NEXT:  func.return %[[Y]]
func.func @rms_norm(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %two = qti_aisw.Const dense<2.0> : tensor<1xf32> -> tensor<1xf32>
  %e = qti_aisw.Const dense<0.001> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.ElementWisePower(%x, %two) : (tensor<3x2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
  %v = qti_aisw.ReduceMean(%s) {axes = array<i64: 1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %w = qti_aisw.ElementWiseAdd(%v, %e) : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %r = qti_aisw.ElementWiseSquareRoot(%w) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %i = qti_aisw.ElementWiseReciprocal(%r) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %y = qti_aisw.ElementWiseMultiply(%x, %i) : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// A norm of f16 computes in f32 anyway: the casts around it go.

// CHECK-LABEL: func.func @casts
// CHECK-NOT:   qti_aisw.Cast
// CHECK:       qti_aisw.RmsNorm(%x, {{.*}} : (tensor<3x2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<3x2xf16>
func.func @casts(%x: tensor<3x2xf16>) -> tensor<3x2xf16> {
  %g = qti_aisw.Const dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  %b = qti_aisw.Const dense<0.0> : tensor<2xf32> -> tensor<2xf32>
  %w = qti_aisw.Cast(%x) {to = f32} : (tensor<3x2xf16>) -> tensor<3x2xf32>
  %n = qti_aisw.RmsNorm(%w, %g, beta = %b) {axes = array<i64: 1>} : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %y = qti_aisw.Cast(%n) {to = f16} : (tensor<3x2xf32>) -> tensor<3x2xf16>
  func.return %y : tensor<3x2xf16>
}

// -----

// Eight rows of 32 MiB fit no TCM: in parts the norm runs, so it stays in parts.

// CHECK-LABEL: func.func @wide
// CHECK-NOT:   qti_aisw.RmsNorm
func.func @wide(%x: tensor<1x8388608xf32>) -> tensor<1x8388608xf32> {
  %e = qti_aisw.Const dense<0.001> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.ElementWiseMultiply(%x, %x) : (tensor<1x8388608xf32>, tensor<1x8388608xf32>) -> tensor<1x8388608xf32>
  %v = qti_aisw.ReduceMean(%s) {axes = array<i64: 1>, keep_dims = true} : (tensor<1x8388608xf32>) -> tensor<1x1xf32>
  %w = qti_aisw.ElementWiseAdd(%v, %e) : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  %r = qti_aisw.ElementWiseSquareRoot(%w) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = qti_aisw.ElementWiseDivide(%x, %r) : (tensor<1x8388608xf32>, tensor<1x1xf32>) -> tensor<1x8388608xf32>
  func.return %y : tensor<1x8388608xf32>
}

// -----

// The deviations of groups of channels are read twice. Each reader has its own, so that large ones
// need not be kept.

// CHECK-LABEL: func.func @groups
// CHECK-NEXT:  %[[D:.*]] = qti_aisw.ElementWiseSubtract(%x, %m)
// CHECK-NEXT:  %[[S:.*]] = qti_aisw.ElementWiseSquaredDifference(%x, %m)
// CHECK-NEXT:  %[[V:.*]] = qti_aisw.ReduceMean(%[[S]])
// CHECK-NEXT:  qti_aisw.ElementWiseMultiply(%[[D]], %[[V]])
func.func @groups(%x: tensor<1x8x8x4xf32>, %m: tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32> {
  %d = qti_aisw.ElementWiseSubtract(%x, %m) : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %s = qti_aisw.ElementWiseMultiply(%d, %d) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %v = qti_aisw.ReduceMean(%s) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  %y = qti_aisw.ElementWiseMultiply(%d, %v) : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}
