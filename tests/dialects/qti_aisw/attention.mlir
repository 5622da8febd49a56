// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Attention of 8 heads of queries; each pair of them shares a head of keys and values. The mask
// broadcasts to the scores. Params say which keys a query attends to, counted from its own number.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%q: tensor<1x8x32x16xf32>, %k: tensor<1x4x48x16xf32>, %v: tensor<1x4x48x24xf32>, %m: tensor<32x48xf32>) {
  // CHECK: qti_aisw.Attention(%q, %k, %v) {scale = 2.500000e-01 : f32} : {{.*}} -> tensor<1x8x32x24xf32>
  // GENERIC: "qti_aisw.Attention"(%{{.+}}, %{{.+}}, %{{.+}}) <{scale = 2.500000e-01 : f32, softcap = 0.000000e+00 : f32, first = -1073741824 : i64, last = 1073741824 : i64}>
  %0 = qti_aisw.Attention(%q, %k, %v) {scale = 0.25 : f32} : (tensor<1x8x32x16xf32>, tensor<1x4x48x16xf32>, tensor<1x4x48x24xf32>) -> tensor<1x8x32x24xf32>
  // CHECK: qti_aisw.Attention(%q, %k, %v, mask = %m) {softcap = 2.000000e+00 : f32, first = -8 : i64, last = 16 : i64} :
  // GENERIC: "qti_aisw.Attention"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
  %1 = qti_aisw.Attention(%q, %k, %v, mask = %m) {softcap = 2.0 : f32, first = -8 : i64, last = 16 : i64} : (tensor<1x8x32x16xf32>, tensor<1x4x48x16xf32>, tensor<1x4x48x24xf32>, tensor<32x48xf32>) -> tensor<1x8x32x24xf32>
  func.return
}

// -----

// ERROR: qti_aisw.Attention: (C1) operand 'q' has element type Int32, it must be f32 or f16
%q, %k = "test.op"() : () -> (tensor<1x2x3x4xi32>, tensor<1x2x3x4xf32>)
%y = qti_aisw.Attention(%q, %k, %k) : (tensor<1x2x3x4xi32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C1) operand 'k' is Float16, 'q' is Float32; they must be equal
%q, %k = "test.op"() : () -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf16>)
%y = qti_aisw.Attention(%q, %k, %k) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C1) operand 'k' has rank 3, it must be 4
%q, %k = "test.op"() : () -> (tensor<1x2x3x4xf32>, tensor<2x3x4xf32>)
%y = qti_aisw.Attention(%q, %k, %k) : (tensor<1x2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C2) operand 'k' has shape 1x2x3x5, the others give 1x2x3x4
%q, %k = "test.op"() : () -> (tensor<1x2x3x4xf32>, tensor<1x2x3x5xf32>)
%y = qti_aisw.Attention(%q, %k, %k) : (tensor<1x2x3x4xf32>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>

// -----

// ERROR: qti_aisw.Attention: (C2) operand 'k' has 4 heads, 'q' has 6; the first must divide the second
%q, %k = "test.op"() : () -> (tensor<1x6x3x4xf32>, tensor<1x4x3x4xf32>)
%y = qti_aisw.Attention(%q, %k, %k) : (tensor<1x6x3x4xf32>, tensor<1x4x3x4xf32>, tensor<1x4x3x4xf32>) -> tensor<1x6x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C3) operand 'v' has shape 1x2x5x4, the others give 1x2x3x4
%q, %v = "test.op"() : () -> (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>)
%y = qti_aisw.Attention(%q, %q, %v) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C4) operand 'mask' 2x1x3x3 does not broadcast to the scores 1x2x3x3
%q, %m = "test.op"() : () -> (tensor<1x2x3x4xf32>, tensor<2x1x3x3xf32>)
%y = qti_aisw.Attention(%q, %q, %q, mask = %m) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C5) param 'softcap' is -1, it must be >= 0
%q = "test.op"() : () -> tensor<1x2x3x4xf32>
%y = qti_aisw.Attention(%q, %q, %q) {softcap = -1.0 : f32} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>

// -----

// ERROR: qti_aisw.Attention: (C5) param 'last' is 1073741825, at most 2^30 is taken
%q = "test.op"() : () -> tensor<1x2x3x4xf32>
%y = qti_aisw.Attention(%q, %q, %q) {last = 1073741825 : i64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
