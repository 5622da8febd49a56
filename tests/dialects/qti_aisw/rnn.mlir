// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Recurrent layers of the graph, without state: X is [seq, batch, input], absent operands stand for
// zeros and full lengths. Two directions double the weights and the results.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<5x2x4xf32>, %w: tensor<1x32x4xf32>, %r: tensor<1x32x8xf32>, %h: tensor<1x2x8xf32>, %v: tensor<2x24x4xf32>, %s: tensor<2x24x8xf32>) {
  // CHECK: %{{.+}}, [[H:%.+]], [[C:%.+]] = qti_aisw.Lstm(%x, %w, %r, initial_h = %h) {hidden_size = 8 : i64} :
  // GENERIC: "qti_aisw.Lstm"({{.*}}) <{{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0>{{.*}}direction = #qti_aisw.direction<forward>
  %y, %yh, %yc = qti_aisw.Lstm(%x, %w, %r, initial_h = %h) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<1x2x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
  // CHECK: qti_aisw.Gru(%x, %v, %s) {{{.*}}direction = #qti_aisw.direction<bidirectional>{{.*}}} : {{.*}} -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
  %z, %zh = qti_aisw.Gru(%x, %v, %s) {direction = #qti_aisw.direction<bidirectional>, hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<2x24x4xf32>, tensor<2x24x8xf32>) -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
  func.return
}

// -----

// An Lstm has four gates, so its weights have 4 * hidden_size rows.
// ERROR: qti_aisw.Lstm: (C3) operand 'W' has shape 1x8x4, the others give 1x32x4
%x, %w, %r = "test.op"() : () -> (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x32x8xf32>)
%y, %h, %c = qti_aisw.Lstm(%x, %w, %r) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x32x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
