// RUN: htp rules explain %s -p qti-raise --rule softmax@a | filecheck %s --check-prefix READ
// RUN: htp rules explain %s -p qti-raise --rule "log softmax@b" | filecheck %s --check-prefix AXES
// RUN: htp rules explain %s -p qti-raise --rule softmax@c | filecheck %s --check-prefix TWO
// RUN: htp rules explain %s -p qti-raise --rule gelu@g | filecheck %s --check-prefix NUMBER

// Near misses, and what is said of them. The sum of %a is a result of its own.

// READ: %a = qti_aisw.ElementWiseDivide: refused: EXTERNAL_CONSTRAINT(only_inside, "*", "X"): {{.*}}; only_inside: The ops between the leaves and the node alone read what they compute.

// The powers of %b are summed along another axis than the maximum was taken.

// AXES: %b = qti_aisw.ElementWiseSubtract: no match: input 1 of input 0 of input 1 is array<i64: 1>, but "Axes" is array<i64: 0> already

// Those of %c are summed over two axes; a Softmax has one.

// TWO: %c = qti_aisw.ElementWiseDivide: refused: EQ(DIM_OF("Axes", 3), 1): 2 != 1

// A Gelu divides by the square root of 2, not by 1.4.

// NUMBER: %g = qti_aisw.ElementWiseMultiply: refused: CONSTVAL_IS("Root", 1.4142135623730951): "Root" is %root htp.Const scalar Float32 of 1.4

func.func @main(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %p = qti_aisw.ElementWiseExp(%x) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %s = qti_aisw.ReduceSum(%p) {axes = array<i64: 0>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %a = qti_aisw.ElementWiseDivide(%p, %s) : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %m = qti_aisw.ReduceMax(%a) {axes = array<i64: 0>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %d = qti_aisw.ElementWiseSubtract(%a, %m) : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %q = qti_aisw.ElementWiseExp(%d) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %t = qti_aisw.ReduceSum(%q) {axes = array<i64: 1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<3x1xf32>
  %l = qti_aisw.ElementWiseLog(%t) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %b = qti_aisw.ElementWiseSubtract(%d, %l) : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %r = qti_aisw.ElementWiseExp(%b) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %u = qti_aisw.ReduceSum(%r) {axes = array<i64: 0, 1>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<1x1xf32>
  %c = qti_aisw.ElementWiseDivide(%r, %u) : (tensor<3x2xf32>, tensor<1x1xf32>) -> tensor<3x2xf32>
  %root = qti_aisw.Const dense<1.4> : tensor<f32> -> tensor<f32>
  %one = qti_aisw.Const dense<1.0> : tensor<f32> -> tensor<f32>
  %half = qti_aisw.Const dense<0.5> : tensor<f32> -> tensor<f32>
  %v = qti_aisw.ElementWiseDivide(%x, %root) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %e = qti_aisw.ElementWiseErf(%v) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %f = qti_aisw.ElementWiseAdd(%e, %one) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %h = qti_aisw.ElementWiseMultiply(%x, %half) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %g = qti_aisw.ElementWiseMultiply(%h, %f) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %a, %s, %b, %c, %g : tensor<3x2xf32>, tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
