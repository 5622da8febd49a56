// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Two sequences of three pages out of nine, each of four keys: twelve keys, to which a mask adds.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%q: tensor<2x8x1x16xf32>, %k: tensor<9x4x2x16xf32>, %v: tensor<9x4x2x24xf32>, %t: tensor<2x3xi32>, %m: tensor<12xf32>) {
  // CHECK: qti_aisw.PagedAttention(%q, %k, %v, %t) {scale = 2.500000e-01 : f32} : {{.*}} -> tensor<2x8x1x24xf32>
  // GENERIC: "qti_aisw.PagedAttention"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) <{scale = 2.500000e-01 : f32,
  %0 = qti_aisw.PagedAttention(%q, %k, %v, %t) {scale = 0.25 : f32} : (tensor<2x8x1x16xf32>, tensor<9x4x2x16xf32>, tensor<9x4x2x24xf32>, tensor<2x3xi32>) -> tensor<2x8x1x24xf32>
  // CHECK: qti_aisw.PagedAttention(%q, %k, %v, %t, mask = %m) {last = 11 : i64} :
  %1 = qti_aisw.PagedAttention(%q, %k, %v, %t, mask = %m) {last = 11 : i64} : (tensor<2x8x1x16xf32>, tensor<9x4x2x16xf32>, tensor<9x4x2x24xf32>, tensor<2x3xi32>, tensor<12xf32>) -> tensor<2x8x1x24xf32>
  func.return
}

// -----

// ERROR: qti_aisw.PagedAttention: (C1) operand 'keys' is Float16, 'q' is Float32; they must be equal
%q, %k, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf16>, tensor<2x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t) : (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf16>, tensor<9x4x2x6xf16>, tensor<2x3xi32>) -> tensor<2x4x1x6xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C2) operand 'keys' has shape 9x4x2x5, the others give 9x4x2x6
%q, %k, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x5xf32>, tensor<2x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t) : (tensor<2x4x1x6xf32>, tensor<9x4x2x5xf32>, tensor<9x4x2x5xf32>, tensor<2x3xi32>) -> tensor<2x4x1x5xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C2) operand 'keys' has 3 heads, 'q' has 4; the first must divide the second
%q, %k, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x3x6xf32>, tensor<2x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t) : (tensor<2x4x1x6xf32>, tensor<9x4x3x6xf32>, tensor<9x4x3x6xf32>, tensor<2x3xi32>) -> tensor<2x4x1x6xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C3) operand 'values' has shape 8x4x2x6, the others give 9x4x2x6
%q, %k, %v, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<8x4x2x6xf32>, tensor<2x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %v, %t) : (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<8x4x2x6xf32>, tensor<2x3xi32>) -> tensor<2x4x1x6xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C4) operand 'mask' 2x12 does not broadcast to the scores 2x4x1x12
%q, %k, %t, %m = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<2x3xi32>, tensor<2x12xf32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t, mask = %m) : (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<9x4x2x6xf32>, tensor<2x3xi32>, tensor<2x12xf32>) -> tensor<2x4x1x6xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C5) param 'softcap' is -1, it must be >= 0
%q, %k, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<2x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t) {softcap = -1.0 : f32} : (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<9x4x2x6xf32>, tensor<2x3xi32>) -> tensor<2x4x1x6xf32>

// -----

// ERROR: qti_aisw.PagedAttention: (C6) operand 'table' has shape 3x3, the others give 2x3
%q, %k, %t = "test.op"() : () -> (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<3x3xi32>)
%y = qti_aisw.PagedAttention(%q, %k, %k, %t) : (tensor<2x4x1x6xf32>, tensor<9x4x2x6xf32>, tensor<9x4x2x6xf32>, tensor<3x3xi32>) -> tensor<2x4x1x6xf32>
