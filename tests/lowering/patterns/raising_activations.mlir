// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// The factors of a Gelu come in any order; its constants need only be right within their rounding.

// CHECK-LABEL: func.func @gelu
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Gelu(%x)
// CHECK-NEXT:  func.return %[[Y]]
func.func @gelu(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %root = qti_aisw.Const dense<0.70710677> : tensor<f32> -> tensor<f32>
  %one = qti_aisw.Const dense<1.0> : tensor<1xf32> -> tensor<1xf32>
  %half = qti_aisw.Const dense<0.5> : tensor<f32> -> tensor<f32>
  %u = qti_aisw.ElementWiseMultiply(%root, %x) : (tensor<f32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = qti_aisw.ElementWiseErf(%u) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %s = qti_aisw.ElementWiseAdd(%one, %e) : (tensor<1xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %h = qti_aisw.ElementWiseMultiply(%x, %half) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %y = qti_aisw.ElementWiseMultiply(%s, %h) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// x * relu6(x + 3) / 6 is a HardSwish.

// CHECK-LABEL: func.func @hard_swish
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.HardSwish(%x)
// CHECK-NEXT:  func.return %[[Y]]
func.func @hard_swish(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %three = qti_aisw.Const dense<3.0> : tensor<f32> -> tensor<f32>
  %six = qti_aisw.Const dense<6.0> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.ElementWiseAdd(%x, %three) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %r = qti_aisw.ReluMinMax(%s) {min_value = 0.0 : f32, max_value = 6.0 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %p = qti_aisw.ElementWiseMultiply(%x, %r) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = qti_aisw.ElementWiseDivide(%p, %six) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// The argument of the tanh is a polynomial, however it is written: here x * (a + b * x * x).

// CHECK-LABEL: func.func @gelu_tanh
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.GeluTanh(%x)
// CHECK-NEXT:  func.return %[[Y]]
func.func @gelu_tanh(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %a = qti_aisw.Const dense<0.79788456> : tensor<f32> -> tensor<f32>
  %b = qti_aisw.Const dense<0.035677408> : tensor<f32> -> tensor<f32>
  %one = qti_aisw.Const dense<1.0> : tensor<f32> -> tensor<f32>
  %half = qti_aisw.Const dense<0.5> : tensor<f32> -> tensor<f32>
  %s = qti_aisw.ElementWiseMultiply(%x, %x) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = qti_aisw.ElementWiseMultiply(%b, %s) : (tensor<f32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %p = qti_aisw.ElementWiseAdd(%c, %a) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %i = qti_aisw.ElementWiseMultiply(%x, %p) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %t = qti_aisw.Tanh(%i) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %u = qti_aisw.ElementWiseAdd(%t, %one) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %h = qti_aisw.ElementWiseMultiply(%x, %half) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %y = qti_aisw.ElementWiseMultiply(%h, %u) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// x times a sigmoid is a Swish, whose alpha is 1 in a SiLU.

// CHECK-LABEL: func.func @swish
// CHECK-NEXT:  %[[S:.*]] = qti_aisw.Swish(%x)
// CHECK-NEXT:  %[[Q:.*]] = qti_aisw.Swish(%x) {alpha = 1.702{{.*}} : f32}
// CHECK-NEXT:  func.return %[[S]], %[[Q]]
func.func @swish(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %alpha = qti_aisw.Const dense<1.702> : tensor<f32> -> tensor<f32>
  %g = qti_aisw.Sigmoid(%x) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %s = qti_aisw.ElementWiseMultiply(%x, %g) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %a = qti_aisw.ElementWiseMultiply(%x, %alpha) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %h = qti_aisw.Sigmoid(%a) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %q = qti_aisw.ElementWiseMultiply(%h, %x) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %s, %q : tensor<3x2xf32>, tensor<3x2xf32>
}
