// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A step of Adam gives the weights and both moments; with the largest one, as in AMSGrad, that, too.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%w: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<4x8xf32>, %v: tensor<4x8xf32>, %r: tensor<f32>, %t: tensor<1xf32>) {
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = qti_aisw.Adam(%w, %g, %m, %v, %r, %t) : {{.*}} -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  // GENERIC: "qti_aisw.Adam"({{.+}}) <{beta1 = 9.000000e-01 : f32, beta2 = 9.990000e-01 : f32, epsilon = 1.000000e-08 : f32, weight_decay = 0.000000e+00 : f32, decoupled = false, epsilon_hat = false}>
  %0, %1, %2 = qti_aisw.Adam(%w, %g, %m, %v, %r, %t) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<1xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  // CHECK: qti_aisw.Adam(%w, %g, %m, %v, %r, %t, largest = %v) {decoupled = true} : {{.*}} -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  %3, %4, %5, %6 = qti_aisw.Adam(%w, %g, %m, %v, %r, %t, largest = %v) {decoupled = true} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<1xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  func.return
}

// -----

// ERROR: qti_aisw.Adam: (C1) operand 'weights' has element type Int32, it must be a float
%w, %g, %r = "test.op"() : () -> (tensor<4xi32>, tensor<4xf32>, tensor<f32>)
%0, %1, %2 = qti_aisw.Adam(%w, %g, %g, %g, %r, %r) : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)

// -----

// ERROR: qti_aisw.Adam: (C2) operand 'gradient' has shape 5, the others give 4
%w, %g, %r = "test.op"() : () -> (tensor<4xf32>, tensor<5xf32>, tensor<f32>)
%0, %1, %2 = qti_aisw.Adam(%w, %g, %w, %w, %r, %r) : (tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)

// -----

// ERROR: qti_aisw.Adam: (C3) operand 'step' has rank 1 and 4 elements; it must be one number, of rank 0 or 1
%w, %r = "test.op"() : () -> (tensor<4xf32>, tensor<f32>)
%0, %1, %2 = qti_aisw.Adam(%w, %w, %w, %w, %r, %w) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)

// -----

// ERROR: qti_aisw.Adam: (C4) param 'beta2' is 1.0, it must be at least 0 and below 1
%w, %r = "test.op"() : () -> (tensor<4xf32>, tensor<f32>)
%0, %1, %2 = qti_aisw.Adam(%w, %w, %w, %w, %r, %r) {beta2 = 1.0 : f32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)

// -----

// ERROR: qti_aisw.Adam: (C5) param 'weight_decay' is -1.0, it must be at least 0
%w, %r = "test.op"() : () -> (tensor<4xf32>, tensor<f32>)
%0, %1, %2 = qti_aisw.Adam(%w, %w, %w, %w, %r, %r) {weight_decay = -1.0 : f32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)

// -----

// ERROR: qti_aisw.Adam: {{.*}}result
%w, %r = "test.op"() : () -> (tensor<4xf32>, tensor<f32>)
%0, %1 = qti_aisw.Adam(%w, %w, %w, %w, %r, %r) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
