// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Reshape, Transpose, Pad and Tile of the graph. Scales along an axis move along with their dim.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<2x4xf32>, %q: tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // CHECK: qti_aisw.Reshape(%x) {shape = array<i64: 4, 2>} : {{.*}} -> tensor<4x2xf32>
  // GENERIC: "qti_aisw.Reshape"(%{{.*}}) <{shape = array<i64: 4, 2>}>
  %0 = qti_aisw.Reshape(%x) {shape = array<i64: 4, 2>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  // CHECK: qti_aisw.Transpose(%q) {{.*}} -> tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01, 2.500000e-01}>>
  %1 = qti_aisw.Transpose(%q) {perm = array<i64: 1, 0>} : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  // Before and after each dim.
  // CHECK: qti_aisw.Pad(%x) {pad_amount = array<i64: 0, 0, 1, 2>, pad_constant_value = 1.500000e+00 : f32} : {{.*}} -> tensor<2x7xf32>
  %2 = qti_aisw.Pad(%x) {pad_amount = array<i64: 0, 0, 1, 2>, pad_constant_value = 1.5 : f32} : (tensor<2x4xf32>) -> tensor<2x7xf32>
  // CHECK: qti_aisw.Tile(%x) {multiples = array<i64: 3, 1>} : {{.*}} -> tensor<6x4xf32>
  %3 = qti_aisw.Tile(%x) {multiples = array<i64: 3, 1>} : (tensor<2x4xf32>) -> tensor<6x4xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Reshape: shape 3 has 3 elements, the input 4
%x = "test.op"() : () -> tensor<2x2xf32>
%y = qti_aisw.Reshape(%x) {shape = array<i64: 3>} : (tensor<2x2xf32>) -> tensor<3xf32>

// -----

// ERROR: qti_aisw.Transpose: result 0 has element type QInt8
%x = "test.op"() : () -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
%y = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>

// -----

// ERROR: qti_aisw.Tile: param 'multiples' holds 0, every value must be >= 1
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.Tile(%x) {multiples = array<i64: 0>} : (tensor<4xf32>) -> tensor<0xf32>
