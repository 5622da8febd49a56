// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A Softmax over the positions that a mask allows. UNCOMPRESSED masks have a number for each channel,
// COMPRESSED ones the lengths of the sequences that are packed along it.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<2x1x8x8xf32>, %m: tensor<2x8xi32>, %l: tensor<2x3xi32>) {
  // CHECK: qti_aisw.MaskedSoftmax(%x, %m) : (tensor<2x1x8x8xf32>, tensor<2x8xi32>) -> tensor<2x1x8x8xf32>
  // GENERIC: "qti_aisw.MaskedSoftmax"({{.*}}) <{mode = #qti_aisw.mask_mode<UNCOMPRESSED>}>
  %0 = qti_aisw.MaskedSoftmax(%x, %m) : (tensor<2x1x8x8xf32>, tensor<2x8xi32>) -> tensor<2x1x8x8xf32>
  // CHECK: qti_aisw.MaskedSoftmax(%x, %l) {mode = #qti_aisw.mask_mode<COMPRESSED>} :
  %1 = qti_aisw.MaskedSoftmax(%x, %l) {mode = #qti_aisw.mask_mode<COMPRESSED>} : (tensor<2x1x8x8xf32>, tensor<2x3xi32>) -> tensor<2x1x8x8xf32>
  func.return
}

// -----

// ERROR: qti_aisw.MaskedSoftmax: (C3) operand 'mask' has 4 columns, the data 8 channels; they must be equal
%x, %m = "test.op"() : () -> (tensor<2x1x4x8xf32>, tensor<2x4xi32>)
%y = qti_aisw.MaskedSoftmax(%x, %m) : (tensor<2x1x4x8xf32>, tensor<2x4xi32>) -> tensor<2x1x4x8xf32>

// -----

// Packed sequences attend to themselves: rows and columns are the same positions.
// ERROR: qti_aisw.MaskedSoftmax: (C4) data 2x1x4x8 has width 4 and 8 channels; they must be equal
%x, %m = "test.op"() : () -> (tensor<2x1x4x8xf32>, tensor<2x3xi32>)
%y = qti_aisw.MaskedSoftmax(%x, %m) {mode = #qti_aisw.mask_mode<COMPRESSED>} : (tensor<2x1x4x8xf32>, tensor<2x3xi32>) -> tensor<2x1x4x8xf32>
