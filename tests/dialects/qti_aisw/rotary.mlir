// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Cosines and sines broadcast to the data; pairs are halves of the last dim, or neighbours in it.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x4x16x8xf32>, %c: tensor<16x8xf32>) {
  // CHECK: qti_aisw.RotaryEmbedding(%x, %c, %c) :
  // GENERIC: "qti_aisw.RotaryEmbedding"(%{{.+}}, %{{.+}}, %{{.+}}) <{interleaved = false}>
  %0 = qti_aisw.RotaryEmbedding(%x, %c, %c) : (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16x8xf32>
  // CHECK: qti_aisw.RotaryEmbedding(%x, %c, %c) {interleaved = true} :
  %1 = qti_aisw.RotaryEmbedding(%x, %c, %c) {interleaved = true} : (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16x8xf32>
  func.return
}

// -----

// ERROR: the last dim of operand 'inp' must be there, and even
%x = "test.op"() : () -> tensor<2x3xf32>
%y = qti_aisw.RotaryEmbedding(%x, %x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>

// -----

// ERROR: operand 'sin' is larger than the data
%x = "test.op"() : () -> tensor<1x4xf32>
%s = "test.op"() : () -> tensor<2x4xf32>
%y = qti_aisw.RotaryEmbedding(%x, %x, %s) : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
