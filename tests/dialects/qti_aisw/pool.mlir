// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Pools of the graph. Of 8 rows and windows of 3 with stride 2, rounding_mode 0 (the default) takes
// the 3 that fit, 1 also the one that hangs over the edge.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x4xf32>) {
  // CHECK: qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 3>, stride = array<i64: 2, 2>} : {{.*}} -> tensor<1x3x3x4xf32>
  // GENERIC: "qti_aisw.PoolMax2d"(%{{.*}}) <{{{.*}}rounding_mode = 0 : i64{{.*}}}>
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 3>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x3x3x4xf32>
  // CHECK: qti_aisw.PoolAvg2d(%x) {{{.*}}rounding_mode = 1 : i64{{.*}}} : {{.*}} -> tensor<1x4x4x4xf32>
  %1 = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 3, 3>, stride = array<i64: 2, 2>, rounding_mode = 1 : i64} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  // CHECK: qti_aisw.PoolAvg2d(%x) {{{.*}}count_pad_for_edges = true{{.*}}} : {{.*}} -> tensor<1x9x9x4xf32>
  %2 = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 2, 2>, pad_amount = array<i64: 1, 1, 1, 1>, count_pad_for_edges = true} : (tensor<1x8x8x4xf32>) -> tensor<1x9x9x4xf32>
  func.return
}

// -----

// ERROR: qti_aisw.PoolMax2d: result 0 has shape 1x4x4x4, its inputs give 1x3x3x4
%x = "test.op"() : () -> tensor<1x8x8x4xf32>
%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 3>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>

// -----

// A max pool picks elements, so it keeps their scale.
// ERROR: qti_aisw.PoolMax2d: result 0 has element type QUInt8 (0.25:0), its inputs give QUInt8 (0.5:0)
%x = "test.op"() : () -> tensor<1x8x8x4x!quant.uniform<u8:f32, 0.5>>
%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 1, 1>} : (tensor<1x8x8x4x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x8x8x4x!quant.uniform<u8:f32, 0.25>>
