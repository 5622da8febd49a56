// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Recurrent layers that go on where the last inference ended, unless `reset` is true. They take what
// Lstm and Gru take, and a reset of one element.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<5x2x4xf32>, %w: tensor<1x32x4xf32>, %r: tensor<1x32x8xf32>, %v: tensor<1x24x4xf32>, %s: tensor<1x24x8xf32>, %reset: tensor<i1>) {
  // CHECK: %{{.+}}, %{{.+}}, %{{.+}} = qti_aisw.StatefulLstm(%x, %w, %r, reset = %reset) {hidden_size = 8 : i64} :
  // GENERIC: "qti_aisw.StatefulLstm"({{.*}}) <{{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1>
  %y, %h, %c = qti_aisw.StatefulLstm(%x, %w, %r, reset = %reset) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<i1>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
  // CHECK: qti_aisw.StatefulGru(%x, %v, %s) {clip = 3.000000e+00 : f32, hidden_size = 8 : i64, linear_before_reset = 1 : i64} :
  %z, %zh = qti_aisw.StatefulGru(%x, %v, %s) {clip = 3.0 : f32, hidden_size = 8 : i64, linear_before_reset = 1 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  func.return
}

// -----

// ERROR: qti_aisw.StatefulGru: (C11) operand 'reset' has shape 2, it must hold one element
%x, %w, %r, %reset = "test.op"() : () -> (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<2xi1>)
%y, %h = qti_aisw.StatefulGru(%x, %w, %r, reset = %reset) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<2xi1>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
