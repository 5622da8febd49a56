// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Images of another extent: Resize to a size that is stated, blocks of pixels from and to the depth.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x6x12xf32>) {
  // CHECK: qti_aisw.Resize(%x) {{{.*}}interpolation_mode = 1 : i64{{.*}}} : {{.*}} -> tensor<1x16x5x12xf32>
  // GENERIC: "qti_aisw.Resize"(%{{.*}}) <{{{.*}}nearest_mode = 0 : i64{{.*}}}>
  %0 = qti_aisw.Resize(%x) {size = array<i64: 16, 5>, interpolation_mode = 1 : i64} : (tensor<1x8x6x12xf32>) -> tensor<1x16x5x12xf32>
  // CHECK: qti_aisw.Resize({{.*}}) {{.*}} -> tensor<1x16x16x4x!quant.uniform<u8:f32, 5.000000e-01>>
  %q = "test.op"() : () -> tensor<1x8x8x4x!quant.uniform<u8:f32, 1.0>>
  %linear = qti_aisw.Resize(%q) {size = array<i64: 16, 16>, interpolation_mode = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<u8:f32, 1.0>>) -> tensor<1x16x16x4x!quant.uniform<u8:f32, 0.5>>
  // CHECK: qti_aisw.DepthToSpace(%x) {block_size = array<i64: 2, 3>} : {{.*}} -> tensor<1x16x18x2xf32>
  %1 = qti_aisw.DepthToSpace(%x) {block_size = array<i64: 2, 3>} : (tensor<1x8x6x12xf32>) -> tensor<1x16x18x2xf32>
  // CHECK: qti_aisw.SpaceToDepth(%x) {{{.*}}mode = 1 : i64{{.*}}} : {{.*}} -> tensor<1x4x2x72xf32>
  %2 = qti_aisw.SpaceToDepth(%x) {block_size = array<i64: 2, 3>, mode = 1 : i64} : (tensor<1x8x6x12xf32>) -> tensor<1x4x2x72xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Resize: param 'transformation_mode' is 4, it must be 0 to 3
%x = "test.op"() : () -> tensor<1x8x8x4xf32>
%y = qti_aisw.Resize(%x) {size = array<i64: 16, 16>, transformation_mode = 4 : i64} : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>

// -----

// ERROR: qti_aisw.Resize: result 0 has element type QUInt8 (0.5:0), its inputs give QUInt8 (1:0)
%x = "test.op"() : () -> tensor<1x8x8x4x!quant.uniform<u8:f32, 1.0>>
%y = qti_aisw.Resize(%x) {size = array<i64: 16, 16>} : (tensor<1x8x8x4x!quant.uniform<u8:f32, 1.0>>) -> tensor<1x16x16x4x!quant.uniform<u8:f32, 0.5>>

// -----

// ERROR: qti_aisw.DepthToSpace: operand 'inp' has depth 6, blocks of 2x2 do not divide it
%x = "test.op"() : () -> tensor<1x8x8x6xf32>
%y = qti_aisw.DepthToSpace(%x) {block_size = array<i64: 2, 2>} : (tensor<1x8x8x6xf32>) -> tensor<1x16x16x1xf32>

// -----

// ERROR: qti_aisw.SpaceToDepth: operand 'inp' has an image 8x7, no multiple of 2x2
%x = "test.op"() : () -> tensor<1x8x7x6xf32>
%y = qti_aisw.SpaceToDepth(%x) {block_size = array<i64: 2, 2>} : (tensor<1x8x7x6xf32>) -> tensor<1x4x3x24xf32>
