// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A Buffer joins the rows of the last inferences along `buffer_dim`, at most `buffer_size` of them.
// It has state: equal ones are not the same value.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x2x16xf32>, %r: tensor<i1>) {
  // CHECK: qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 1 : i64, buffer_size = 8 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64} : {{.*}} -> tensor<1x8x16xf32>
  // GENERIC: "qti_aisw.Buffer"({{.*}}) <{{{.*}}buffer_padding = 0 : i64
  %0 = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 1 : i64, buffer_size = 8 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64} : (tensor<1x2x16xf32>, tensor<i1>) -> tensor<1x8x16xf32>
  func.return
}

// -----

// Two rows come in, so a whole number of inferences is what is kept and what it moves on by.
// ERROR: qti_aisw.Buffer: (C3) param 'buffer_size' is 5, an inference brings 2 rows; it must be a positive multiple
%x = "test.op"() : () -> tensor<1x2x16xf32>
%y = qti_aisw.Buffer(%x) {buffer_dim = 1 : i64, buffer_size = 5 : i64, stride = 2 : i64} : (tensor<1x2x16xf32>) -> tensor<1x5x16xf32>

// -----

// ERROR: qti_aisw.Buffer: (C5) param 'buffer_padding' is 1, an inference brings 2 rows and the buffer holds 4; it must be a multiple of 2 from 0 to 4
%x = "test.op"() : () -> tensor<1x2x16xf32>
%y = qti_aisw.Buffer(%x) {buffer_dim = 1 : i64, buffer_padding = 1 : i64, buffer_size = 4 : i64, stride = 2 : i64} : (tensor<1x2x16xf32>) -> tensor<1x4x16xf32>
