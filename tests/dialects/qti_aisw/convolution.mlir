// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Convolutions of the graph: data is NHWC, filters HWIO. A param that has its default is not shown;
// the generic form has all of them.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>, %d: tensor<3x3x1x8xf32>, %t: tensor<2x2x4x8xf32>) {
  // CHECK: qti_aisw.Conv2d(%x, %w, bias = %b) {stride = array<i64: 2, 2>} : {{.*}} -> tensor<1x4x4x8xf32>
  // GENERIC: "qti_aisw.Conv2d"({{.*}}) <{stride = array<i64: 2, 2>, {{.*}}dilation = array<i64: 1, 1>
  %0 = qti_aisw.Conv2d(%x, %w, bias = %b) {stride = array<i64: 2, 2>} : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  // Each of the 4 channels has 2 filters of its own; this padding keeps the size.
  // CHECK: qti_aisw.DepthWiseConv2d(%x, %d) {pad_amount = array<i64: 1, 1, 1, 1>} : {{.*}} -> tensor<1x9x9x8xf32>
  %1 = qti_aisw.DepthWiseConv2d(%x, %d) {pad_amount = array<i64: 1, 1, 1, 1>} : (tensor<1x9x9x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x9x9x8xf32>
  // CHECK: qti_aisw.TransposeConv2d(%x, %t) {stride = array<i64: 2, 2>} : {{.*}} -> tensor<1x18x18x8xf32>
  %2 = qti_aisw.TransposeConv2d(%x, %t) {stride = array<i64: 2, 2>} : (tensor<1x9x9x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x18x18x8xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Conv2d: param 'group' is 2, it must divide the 7 output channels
%x, %w = "test.op"() : () -> (tensor<1x8x8x4xf32>, tensor<3x3x2x7xf32>)
%y = qti_aisw.Conv2d(%x, %w) {group = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x7xf32>) -> tensor<1x6x6x7xf32>

// -----

// ERROR: qti_aisw.DepthWiseConv2d: operand 'filter' has depth 4 in dim 2, it must be 1
%x, %w = "test.op"() : () -> (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>)
%y = qti_aisw.DepthWiseConv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>

// -----

// ERROR: qti_aisw.TransposeConv2d: padding 10 leaves nothing of the result's dim 1
%x, %w = "test.op"() : () -> (tensor<1x8x8x4xf32>, tensor<2x2x4x8xf32>)
%y = qti_aisw.TransposeConv2d(%x, %w) {pad_amount = array<i64: 5, 5, 0, 0>} : (tensor<1x8x8x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x0x9x8xf32>
