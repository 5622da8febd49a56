// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "adam of the paper" | filecheck %s --check-prefix WHY

// A step of AdamW: 0.999 is 1 less the rate, 0.01, times the decay, 0.1. The moments are results.

// CHECK-LABEL: func.func @step
// CHECK:       %[[W:.*]], %[[M:.*]], %[[V:.*]] = qti_aisw.Adam(%w, %g, %m, %v, %rate, %t) {epsilon = {{.*}} : f32, weight_decay = 1.000000e-01 : f32, decoupled = true}
// CHECK-NEXT:  func.return %[[W]], %[[M]], %[[V]]
func.func @step(%w: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<4x8xf32>, %v: tensor<4x8xf32>, %t: tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = qti_aisw.Const dense<1.0> : tensor<f32> -> tensor<f32>
  %b1 = qti_aisw.Const dense<0.9> : tensor<f32> -> tensor<f32>
  %s1 = qti_aisw.Const dense<0.1> : tensor<f32> -> tensor<f32>
  %b2 = qti_aisw.Const dense<0.999> : tensor<f32> -> tensor<f32>
  %s2 = qti_aisw.Const dense<0.001> : tensor<f32> -> tensor<f32>
  %rate = qti_aisw.Const dense<0.01> : tensor<f32> -> tensor<f32>
  %k = qti_aisw.Const dense<0.999> : tensor<f32> -> tensor<f32>
  %e = qti_aisw.Const dense<1.0e-6> : tensor<f32> -> tensor<f32>
  %x = qti_aisw.ElementWiseMultiply(%w, %k) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %ma = qti_aisw.ElementWiseMultiply(%m, %b1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %mb = qti_aisw.ElementWiseMultiply(%g, %s1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %mean = qti_aisw.ElementWiseAdd(%ma, %mb) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %va = qti_aisw.ElementWiseMultiply(%v, %b2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %gg = qti_aisw.ElementWiseMultiply(%g, %g) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %vb = qti_aisw.ElementWiseMultiply(%gg, %s2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %square = qti_aisw.ElementWiseAdd(%va, %vb) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %p1 = qti_aisw.ElementWisePower(%b1, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1 = qti_aisw.ElementWiseSubtract(%one, %p1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %p2 = qti_aisw.ElementWisePower(%b2, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c2 = qti_aisw.ElementWiseSubtract(%one, %p2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %mh = qti_aisw.ElementWiseDivide(%mean, %c1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %vh = qti_aisw.ElementWiseDivide(%square, %c2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %root = qti_aisw.ElementWiseSquareRoot(%vh) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %below = qti_aisw.ElementWiseAdd(%root, %e) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %way = qti_aisw.ElementWiseDivide(%mh, %below) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %taken = qti_aisw.ElementWiseMultiply(%way, %rate) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %new = qti_aisw.ElementWiseSubtract(%x, %taken) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %new, %mean, %square : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The share of the new square is not what its beta leaves.

// CHECK-LABEL: func.func @share
// CHECK-NOT:   qti_aisw.Adam
// CHECK:       func.return
// WHY:         refused: EXTERNAL_CONSTRAINT(is_rest, "S2", "B2"): {{.*}}; is_rest: The share of what is new is 1 less the beta, which is at least 0 and below 1.
func.func @share(%w: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<4x8xf32>, %v: tensor<4x8xf32>, %t: tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = qti_aisw.Const dense<1.0> : tensor<f32> -> tensor<f32>
  %b1 = qti_aisw.Const dense<0.9> : tensor<f32> -> tensor<f32>
  %s1 = qti_aisw.Const dense<0.1> : tensor<f32> -> tensor<f32>
  %b2 = qti_aisw.Const dense<0.999> : tensor<f32> -> tensor<f32>
  %s2 = qti_aisw.Const dense<0.01> : tensor<f32> -> tensor<f32>
  %rate = qti_aisw.Const dense<0.01> : tensor<f32> -> tensor<f32>
  %k = qti_aisw.Const dense<0.999> : tensor<f32> -> tensor<f32>
  %e = qti_aisw.Const dense<1.0e-6> : tensor<f32> -> tensor<f32>
  %x = qti_aisw.ElementWiseMultiply(%w, %k) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %ma = qti_aisw.ElementWiseMultiply(%m, %b1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %mb = qti_aisw.ElementWiseMultiply(%g, %s1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %mean = qti_aisw.ElementWiseAdd(%ma, %mb) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %va = qti_aisw.ElementWiseMultiply(%v, %b2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %gg = qti_aisw.ElementWiseMultiply(%g, %g) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %vb = qti_aisw.ElementWiseMultiply(%gg, %s2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %square = qti_aisw.ElementWiseAdd(%va, %vb) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %p1 = qti_aisw.ElementWisePower(%b1, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1 = qti_aisw.ElementWiseSubtract(%one, %p1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %p2 = qti_aisw.ElementWisePower(%b2, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c2 = qti_aisw.ElementWiseSubtract(%one, %p2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %mh = qti_aisw.ElementWiseDivide(%mean, %c1) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %vh = qti_aisw.ElementWiseDivide(%square, %c2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %root = qti_aisw.ElementWiseSquareRoot(%vh) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %below = qti_aisw.ElementWiseAdd(%root, %e) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %way = qti_aisw.ElementWiseDivide(%mh, %below) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %taken = qti_aisw.ElementWiseMultiply(%way, %rate) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %new = qti_aisw.ElementWiseSubtract(%x, %taken) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %new, %mean, %square : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
