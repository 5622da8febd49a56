// RUN: htp rules explain %s -p qti-raise --rule "attention@a" | filecheck %s --check-prefix READ
// RUN: htp rules explain %s -p qti-raise --rule "attention@b" | filecheck %s --check-prefix AXIS
// RUN: htp rules explain %s -p qti-raise --rule "attention@c" | filecheck %s --check-prefix FACTOR
// RUN: htp rules explain %s -p qti-raise --rule "attention@d" | filecheck %s --check-prefix TURN

// Attention that stays in parts, and why. The weights of %a are a result of their own.

// READ: %a = qti_aisw.MatMul: refused: EXTERNAL_CONSTRAINT(only_inside, "*", "Q", "K", "V")

// The weights of %b go along the queries.

// AXIS: %b = qti_aisw.MatMul: refused: EXTERNAL_CONSTRAINT(attends, "*", "Q", "K", "V", "Axis")

// The factors of %c are one for each key.

// FACTOR: %c = qti_aisw.MatMul: refused: {{.*}}IS_SCALAR("S")

// For one query of %d, turning the keys would move more than the scores.

// TURN: %d = qti_aisw.MatMul: refused: EXTERNAL_CONSTRAINT(turn_pays, "Q", "K")

func.func @main(%q: tensor<2x2xf32>, %k: tensor<2x2xf32>, %r: tensor<1x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
  %f = qti_aisw.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %s = qti_aisw.MatMul(%q, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %w = qti_aisw.Softmax(%s) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %a = qti_aisw.MatMul(%w, %q) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = qti_aisw.MatMul(%a, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %x = qti_aisw.Softmax(%t) {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = qti_aisw.MatMul(%x, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = qti_aisw.MatMul(%b, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = qti_aisw.ElementWiseMultiply(%u, %f) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %z = qti_aisw.Softmax(%g) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = qti_aisw.MatMul(%z, %k) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %o = qti_aisw.MatMul(%r, %k) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %p = qti_aisw.Softmax(%o) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = qti_aisw.MatMul(%p, %q) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %a, %w, %b, %c, %d : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>
}
