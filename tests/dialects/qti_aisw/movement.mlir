// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Ops of the graph that move elements and compute nothing: dtype and scale stay as they are.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<4x8xf32>, %i: tensor<2x3xi32>) {
  // CHECK: [[A:%.+]], [[B:%.+]] = qti_aisw.Split(%x) {axis = 1 : i64, split_index = array<i64: 6>} : {{.*}} -> (tensor<4x6xf32>, tensor<4x2xf32>)
  %a, %b = qti_aisw.Split(%x) {axis = 1 : i64, split_index = array<i64: 6>} : (tensor<4x8xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>)
  // CHECK: qti_aisw.Concat([[B]], [[A]]) {axis = 1 : i64} :
  // GENERIC: "qti_aisw.Concat"({{.*}}) <{axis = 1 : i64}>
  %0 = qti_aisw.Concat(%b, %a) {axis = 1 : i64} : (tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x8xf32>
  // A range is begin, end, stride of each dim; with a negative stride the end -1 is before element 0.
  // CHECK: qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 4, 2, 7, -1, -1>} : {{.*}} -> tensor<2x8xf32>
  %1 = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 4, 2, 7, -1, -1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  // CHECK: qti_aisw.Gather(%x, %i) {axis = 1 : i64} : {{.*}} -> tensor<4x2x3xf32>
  %2 = qti_aisw.Gather(%x, %i) {axis = 1 : i64} : (tensor<4x8xf32>, tensor<2x3xi32>) -> tensor<4x2x3xf32>
  // CHECK: qti_aisw.ScatterNd(%x, %t, %u) {reduction = 1 : i64} : {{.*}} -> tensor<4x8xf32>
  %t, %u = "test.op"() : () -> (tensor<3x1xi32>, tensor<3x8xf32>)
  %3 = qti_aisw.ScatterNd(%x, %t, %u) {reduction = 1 : i64} : (tensor<4x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Concat: operand 'ins[1]' is 4x7, the first 4x8; they may differ in dim 0 only
%a, %b = "test.op"() : () -> (tensor<4x8xf32>, tensor<4x7xf32>)
%y = qti_aisw.Concat(%a, %b) {axis = 0 : i64} : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>

// -----

// ERROR: qti_aisw.StridedSlice: param 'ranges' takes 0:5:1 of dim 0, which has extent 4
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 5, 1>} : (tensor<4xf32>) -> tensor<5xf32>

// -----

// ERROR: qti_aisw.Transpose: param 'perm' [0, 0] must order the dims 0 to 1
%x = "test.op"() : () -> tensor<2x2xf32>
%y = qti_aisw.Transpose(%x) {perm = array<i64: 0, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
