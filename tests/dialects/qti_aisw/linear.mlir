// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Matrix products of the graph. Weights of a FullyConnected have a row per output; the leading dims
// of a MatMul broadcast.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<5x64xf32>, %w: tensor<10x64xf32>, %b: tensor<10xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<4x32x16xf32>) {
  // CHECK: qti_aisw.FullyConnected(%x, %w, bias = %b) : {{.*}} -> tensor<5x10xf32>
  // GENERIC: "qti_aisw.FullyConnected"(%{{.+}}, %{{.+}}, %{{.+}}) : (tensor<5x64xf32>
  %0 = qti_aisw.FullyConnected(%x, %w, bias = %b) : (tensor<5x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<5x10xf32>
  // CHECK: qti_aisw.MatMul(%q, %k) {transpose_in1 = true} : {{.*}} -> tensor<2x4x8x32xf32>
  // GENERIC: "qti_aisw.MatMul"({{.*}}) <{transpose_in1 = true, transpose_in0 = false}>
  %1 = qti_aisw.MatMul(%q, %k) {transpose_in1 = true} : (tensor<2x4x8x16xf32>, tensor<4x32x16xf32>) -> tensor<2x4x8x32xf32>
  func.return
}

// -----

// ERROR: qti_aisw.FullyConnected: operand 'weights' takes 4 features, the data has 8; they must be equal
%x, %w = "test.op"() : () -> (tensor<1x8xf32>, tensor<8x4xf32>)
%y = qti_aisw.FullyConnected(%x, %w) : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>

// -----

// ERROR: qti_aisw.MatMul: in0 has 8 columns, in1 has 4 rows; they must be equal
%a, %b = "test.op"() : () -> (tensor<4x8xf32>, tensor<4x8xf32>)
%y = qti_aisw.MatMul(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>

// -----

// ERROR: qti_aisw.MatMul: shapes 2 and 3 do not broadcast
%a, %b = "test.op"() : () -> (tensor<2x4x8xf32>, tensor<3x8x4xf32>)
%y = qti_aisw.MatMul(%a, %b) : (tensor<2x4x8xf32>, tensor<3x8x4xf32>) -> tensor<2x4x4xf32>
