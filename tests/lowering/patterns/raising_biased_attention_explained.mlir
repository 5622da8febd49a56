// RUN: htp rules explain %s -p qti-raise --rule "attention@a" | filecheck %s --check-prefix LOW
// RUN: htp rules explain %s -p qti-raise --rule "attention@b" | filecheck %s --check-prefix OTHER
// RUN: htp rules explain %s -p qti-raise --rule "dims of a product of scores@r" | filecheck %s --check-prefix DIMS
// RUN: htp rules explain %s -p qti-raise --rule "sum of masks@n" | filecheck %s --check-prefix SUM

// Attention with two masks that stays in parts, and why. The number in the place of scores of %a may
// still have a weight: a mask would add it to them.

// LOW: %a = qti_aisw.MatMul: refused: {{.*}}LE(CONSTVAL_FLOAT("Then", 0)

// The weights of %b become 0 in other places than the scores became low.

// OTHER: %b = qti_aisw.MatMul: no match: {{.*}} is %h, but "M" is %g already

// The Reshape %r mixes queries and keys.

// DIMS: %r = qti_aisw.Reshape: refused: {{.*}}splits_front

// The sum %n is no score: it goes to no Softmax.

// SUM: %n = qti_aisw.ElementWiseAdd: refused: {{.*}}is_scored

func.func @main(%q: tensor<2x2xf32>, %k: tensor<2x2xf32>, %m: tensor<2x2xf32>, %h: tensor<2x2xi1>, %g: tensor<2x2xi1>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x4xf32>, tensor<2x2xf32>) {
  %few = qti_aisw.Const dense<-9.0> : tensor<f32> -> tensor<f32>
  %low = qti_aisw.Const dense<-1.0e9> : tensor<f32> -> tensor<f32>
  %zero = qti_aisw.Const dense<0.0> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.MatMul(%q, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = qti_aisw.ElementWiseAdd(%s, %m) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = qti_aisw.ElementWiseSelect(%h, %few, %t) : (tensor<2x2xi1>, tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %w = qti_aisw.Softmax(%u) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %a = qti_aisw.MatMul(%w, %q) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %o = qti_aisw.MatMul(%a, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = qti_aisw.ElementWiseSelect(%h, %low, %o) : (tensor<2x2xi1>, tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %x = qti_aisw.Softmax(%f) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = qti_aisw.ElementWiseSelect(%g, %zero, %x) : (tensor<2x2xi1>, tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = qti_aisw.MatMul(%z, %q) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = qti_aisw.MatMul(%b, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = qti_aisw.Reshape(%c) {shape = array<i64: 1, 4>} : (tensor<2x2xf32>) -> tensor<1x4xf32>
  %v = qti_aisw.Softmax(%r) {axis = 1 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %d = qti_aisw.MatMul(%q, %q) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = qti_aisw.ElementWiseAdd(%d, %m) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %n = qti_aisw.ElementWiseAdd(%e, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %a, %b, %v, %n : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x4xf32>, tensor<2x2xf32>
}
