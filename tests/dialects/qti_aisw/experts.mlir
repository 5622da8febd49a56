// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Six rows, of which each goes through two of four experts. A gate is a second product of the row.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<6x8xf32>, %s: tensor<6x4xf32>, %u: tensor<4x8x5xf32>, %d: tensor<4x5x7xf32>) {
  // CHECK: qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64, activation = 0 : i64} : {{.*}} -> tensor<6x7xf32>
  // GENERIC: "qti_aisw.RoutedExperts"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) <{k = 2 : i64, activation = 0 : i64, routing = 2 : i64}>
  %0 = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64, activation = 0 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>
  // CHECK: qti_aisw.RoutedExperts(%x, %s, %u, %d, gate = %u) {k = 2 : i64, routing = 1 : i64} :
  %1 = qti_aisw.RoutedExperts(%x, %s, %u, %d, gate = %u) {k = 2 : i64, routing = 1 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>, tensor<4x8x5xf32>) -> tensor<6x7xf32>
  func.return
}

// -----

// ERROR: qti_aisw.RoutedExperts: (C1) operand 'up' has rank 2, it must be 3
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x4xf32>, tensor<8x5xf32>, tensor<4x5x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>

// -----

// ERROR: qti_aisw.RoutedExperts: (C1) operand 'scores' is Float16, 'inp' is Float32; they must be equal
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x4xf16>, tensor<4x8x5xf32>, tensor<4x5x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64} : (tensor<6x8xf32>, tensor<6x4xf16>, tensor<4x8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>

// -----

// ERROR: qti_aisw.RoutedExperts: (C2) operand 'scores' has shape 6x3, the others give 6x4
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x3xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64} : (tensor<6x8xf32>, tensor<6x3xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>

// -----

// ERROR: qti_aisw.RoutedExperts: (C3) operand 'down' has shape 4x6x7, the others give 4x5x7
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x6x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x6x7xf32>) -> tensor<6x7xf32>

// -----

// ERROR: qti_aisw.RoutedExperts: (C4) param 'k' is 5, it must be from 1 to 4
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 5 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>

// -----

// ERROR: qti_aisw.RoutedExperts: (C5) param 'routing' is 3, it must be from 0 to 2
%x, %s, %u, %d = "test.op"() : () -> (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>)
%y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 1 : i64, routing = 3 : i64} : (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x5xf32>, tensor<4x5x7xf32>) -> tensor<6x7xf32>
