// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Softmax and normalisations of the graph. Gamma and beta have the extents of the axes that are
// normalised over.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %t: tensor<4x8xf32>) {
  // The last axis and a factor of 1 are defaults.
  // CHECK: qti_aisw.Softmax(%x) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // GENERIC: "qti_aisw.Softmax"(%{{.*}}) <{axis = -1 : i64, beta = 1.000000e+00 : f32}>
  %0 = qti_aisw.Softmax(%x) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: qti_aisw.LogSoftmax(%x) {axis = 1 : i64} :
  %1 = qti_aisw.LogSoftmax(%x) {axis = 1 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: qti_aisw.LayerNorm(%x, gamma = %t) {axes = array<i64: 1, 2>} :
  %2 = qti_aisw.LayerNorm(%x, gamma = %t) {axes = array<i64: 1, 2>} : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: qti_aisw.RmsNorm(%x, %g, beta = %g) {axes = array<i64: -1>} :
  %3 = qti_aisw.RmsNorm(%x, %g, beta = %g) {axes = array<i64: -1>} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  // CHECK: qti_aisw.Batchnorm(%x, %g, %g) :
  %4 = qti_aisw.Batchnorm(%x, %g, %g) : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Softmax: param 'axis' is 2, the tensor has rank 2
%x = "test.op"() : () -> tensor<4x8xf32>
%y = qti_aisw.Softmax(%x) {axis = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>

// -----

// ERROR: qti_aisw.LayerNorm: operand 'gamma' has shape 4, the others give 8
%x, %g = "test.op"() : () -> (tensor<4x8xf32>, tensor<4xf32>)
%y = qti_aisw.LayerNorm(%x, gamma = %g) {axes = array<i64: 1>} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>

// -----

// ERROR: qti_aisw.LayerNorm: param 'axes' [1, -1] names an axis twice
%x = "test.op"() : () -> tensor<4x8xf32>
%y = qti_aisw.LayerNorm(%x) {axes = array<i64: 1, -1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
