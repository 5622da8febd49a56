// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Reductions of the graph take the dims in `axes` together; keep_dims leaves them with extent 1.
// Argmax, Argmin and TopK give i32 places.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x4xf32>) {
  // CHECK: qti_aisw.ReduceSum(%x) {axes = array<i64: 1, 2>} : {{.*}} -> tensor<1x4xf32>
  // GENERIC: "qti_aisw.ReduceSum"(%{{.*}}) <{axes = array<i64: 1, 2>, keep_dims = false}>
  %0 = qti_aisw.ReduceSum(%x) {axes = array<i64: 1, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4xf32>
  // CHECK: qti_aisw.ReduceMean(%x) {axes = array<i64: 1, 2>, keep_dims = true} : {{.*}} -> tensor<1x1x1x4xf32>
  %1 = qti_aisw.ReduceMean(%x) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  // CHECK: qti_aisw.Argmax(%x) {axis = -1 : i64} : {{.*}} -> tensor<1x8x8xi32>
  %2 = qti_aisw.Argmax(%x) {axis = -1 : i64} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8xi32>
  // CHECK: %{{.*}}, %{{.*}} = qti_aisw.TopK(%x) {k = 3 : i64, largest = false} : {{.*}} -> (tensor<1x8x8x3xf32>, tensor<1x8x8x3xi32>)
  %v, %i = qti_aisw.TopK(%x) {k = 3 : i64, largest = false} : (tensor<1x8x8x4xf32>) -> (tensor<1x8x8x3xf32>, tensor<1x8x8x3xi32>)
  func.return
}

// -----

// ERROR: qti_aisw.ReduceSum: result 0 has shape 4x1, its inputs give 4
%x = "test.op"() : () -> tensor<4x8xf32>
%y = qti_aisw.ReduceSum(%x) {axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x1xf32>

// -----

// ERROR: qti_aisw.ReduceMax: the data has extent 0 along axis 0
%x = "test.op"() : () -> tensor<0x4xf32>
%y = qti_aisw.ReduceMax(%x) {axes = array<i64: 0>} : (tensor<0x4xf32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.Argmax: result 0 has element type Int64, its inputs give Int32
%x = "test.op"() : () -> tensor<4x8xf32>
%y = qti_aisw.Argmax(%x) {axis = 0 : i64} : (tensor<4x8xf32>) -> tensor<8xi64>
