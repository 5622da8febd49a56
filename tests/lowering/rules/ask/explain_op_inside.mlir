// RUN: htp rules explain %s -p 'qti-raise,qti-raise-block-ops' --op shares | filecheck %s
// RUN: htp rules explain %s -p 'qti-raise' --op shares --format=json | filecheck %s --check-prefix JSON

// An op inside a match, too, has the rule that takes it in, and the op at which it fires; then what
// comes of it.

// CHECK:          {{^}}shares:
// CHECK:          qti_aisw.Softmax, PRE_TRANSLATE+3 attention ({{.*}}): takes it in: it fires at 'mixed' qti_aisw.MatMul
// CHECK:          qti_aisw.Attention, PRE_TRANSLATE-1 attention with a mask ({{.*}}): fires
// CHECK:          qti_aisw.Softmax, PRE_TRANSLATE-1 masked softmax ({{.*}}): fires

// JSON:           "value": "'shares'", "op": "qti_aisw.Softmax", "outcome": "takes it in"
func.func @main(%q: tensor<1x2x9x8xf32>, %k: tensor<1x2x8x9xf32>, %m: tensor<1x1x1x9xi32>) -> tensor<1x2x9x8xf32> {
  %0 = qti_aisw.MatMul(%q, %k) : (tensor<1x2x9x8xf32>, tensor<1x2x8x9xf32>) -> tensor<1x2x9x9xf32>
  %1 = qti_aisw.Cast(%m) {to = f32} : (tensor<1x1x1x9xi32>) -> tensor<1x1x1x9xf32>
  %2 = qti_aisw.ElementWiseAdd(%0, %1) : (tensor<1x2x9x9xf32>, tensor<1x1x1x9xf32>) -> tensor<1x2x9x9xf32>
  %3 = qti_aisw.Softmax(%2) {htp.name = "shares"} : (tensor<1x2x9x9xf32>) -> tensor<1x2x9x9xf32>
  %4 = qti_aisw.MatMul(%3, %q) {htp.name = "mixed"} : (tensor<1x2x9x9xf32>, tensor<1x2x9x8xf32>) -> tensor<1x2x9x8xf32>
  func.return %4 : tensor<1x2x9x8xf32>
}
