// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Attention of 6 heads in two batch entries, which share keys and values; a mask is always there.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%q: tensor<2x3x32x16xf32>, %k: tensor<2x1x48x16xf32>, %v: tensor<2x1x48x24xf32>, %mask: tensor<1x1x32x48xf32>, %x: tensor<1x1x1x1xf32>, %i: tensor<1x1x1x1xi32>) {
  // CHECK: htp.Attention(%q, %k, %v, %mask, %x, %x, %i, %i) : {{.*}} -> tensor<2x3x32x24xf32>
  // GENERIC: "htp.Attention"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
  %0 = htp.Attention(%q, %k, %v, %mask, %x, %x, %i, %i) : (tensor<2x3x32x16xf32>, tensor<2x1x48x16xf32>, tensor<2x1x48x24xf32>, tensor<1x1x32x48xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<2x3x32x24xf32>
  func.return
}

// -----

// ERROR: htp.Attention: operand 'k' has extent 2 in dim 1, operand 'q' gives 4; they must be equal, or one of them 1
%q, %k, %m, %x, %i = "test.op"() : () -> (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
%y = htp.Attention(%q, %k, %k, %m, %x, %x, %i, %i) : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x3x8xf32>

// -----

// ERROR: htp.Attention: operand 'mask' has extent 4 in dim 3, operand 'k' gives 5; they must be equal, or one of them 1
%q, %k, %m, %x, %i = "test.op"() : () -> (tensor<1x4x3x8xf32>, tensor<1x4x5x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
%y = htp.Attention(%q, %k, %k, %m, %x, %x, %i, %i) : (tensor<1x4x3x8xf32>, tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x3x8xf32>

// -----

// ERROR: htp.Attention: operand 'mask' is Float16, operand 'q' is Float32; they must be equal
%q, %m, %x, %i = "test.op"() : () -> (tensor<1x4x3x8xf32>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
%y = htp.Attention(%q, %q, %q, %m, %x, %x, %i, %i) : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x3x8xf32>

// -----

// ERROR: htp.Attention: param 'last' is Float32, it must hold integers
%q, %x, %i = "test.op"() : () -> (tensor<1x4x3x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>)
%y = htp.Attention(%q, %q, %q, %x, %x, %x, %i, %x) : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x4x3x8xf32>
