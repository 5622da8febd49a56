// RUN: htp-opt %s | filecheck %s
// RUN: htp-opt %s --print-op-generic | htp-opt -p cse,dce | filecheck %s

// State survives: three equal Buffers, two without uses, are neither merged nor dropped.
// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-3: qti_aisw.Buffer(%x) {{{.*}}mode = #qti_aisw.buffer_mode<NON_BLOCKING_RIGHT>{{.*}}} :
// CHECK-NOT: qti_aisw.Buffer
func.func @buffers(%x: tensor<1x16xf32>) -> tensor<4x16xf32> {
  %a = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_RIGHT>} : (tensor<1x16xf32>) -> tensor<4x16xf32>
  %b = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_RIGHT>} : (tensor<1x16xf32>) -> tensor<4x16xf32>
  %c = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_RIGHT>} : (tensor<1x16xf32>) -> tensor<4x16xf32>
  func.return %a : tensor<4x16xf32>
}

// The default modes are not shown.
// CHECK-LABEL: func.func @defaults
func.func @defaults(%x: tensor<1x16xf32>, %d: tensor<2x1x4x8xf32>, %m: tensor<2x8xi32>) -> (tensor<4x16xf32>, tensor<2x1x4x8xf32>) {
  // CHECK: qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64} :
  %a = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<BLOCKING>} : (tensor<1x16xf32>) -> tensor<4x16xf32>
  // CHECK: qti_aisw.MaskedSoftmax(%d, %m) : (tensor<2x1x4x8xf32>, tensor<2x8xi32>) -> tensor<2x1x4x8xf32>
  %b = qti_aisw.MaskedSoftmax(%d, %m) : (tensor<2x1x4x8xf32>, tensor<2x8xi32>) -> tensor<2x1x4x8xf32>
  func.return %a, %b : tensor<4x16xf32>, tensor<2x1x4x8xf32>
}

// CHECK-LABEL: func.func @recurrent
func.func @recurrent(%x: tensor<5x2x4xf32>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>, %s: tensor<i1>) -> tensor<1x2x8xf32> {
  // CHECK: %{{.+}}, [[H:%.+]] = qti_aisw.StatefulGru(%x, %w, %r, reset = %s) {
  %y, %h = qti_aisw.StatefulGru(%x, %w, %r, reset = %s) {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<i1>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  // CHECK: func.return [[H]]
  func.return %h : tensor<1x2x8xf32>
}
