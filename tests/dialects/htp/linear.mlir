// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Dense layers and products. The weights of a FullyConnected have a row per output; an activation may
// be part of it.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x4x8x32xf32>, %w: tensor<1x1x10x32xf32>, %b: tensor<1x1x1x10xf32>, %no: tensor<1x1x1x1xi32>) {
  // CHECK: %[[Y:.*]] = htp.FullyConnected(%x, %w, %b) : {{.*}} -> tensor<1x4x8x10xf32>
  // GENERIC: "htp.FullyConnected"(%{{.*}}, %{{.*}}, %{{.*}}) :
  %0 = htp.FullyConnected(%x, %w, %b) : (tensor<1x4x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x4x8x10xf32>
  // CHECK: htp.FullyConnected.gelu(%x, %w, %b) :
  %1 = htp.FullyConnected.gelu(%x, %w, %b) : (tensor<1x4x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x4x8x10xf32>
  %yes = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.MatMul(%x, %[[Y]], %{{.*}}, %no) : {{.*}} -> tensor<1x4x32x10xf32>
  %2 = htp.MatMul(%x, %0, %yes, %no) : (tensor<1x4x8x32xf32>, tensor<1x4x8x10xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x32x10xf32>
  func.return
}

// -----

// ERROR: htp.FullyConnected: operand 'weights' has extent 31 in dim 3, operand 'in' gives 32; they must be equal
%x, %w, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x1x5x31xf32>, tensor<1x1x1x5xf32>)
%y = htp.FullyConnected(%x, %w, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x5x31xf32>, tensor<1x1x1x5xf32>) -> tensor<1x8x8x5xf32>

// -----

// ERROR: htp.MatMul: operand 'in1' has extent 31 in dim 2, operand 'in0' gives 32; they must be equal
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x8x31x5xf32>)
%no = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.MatMul(%a, %b, %no, %no) : (tensor<1x8x8x32xf32>, tensor<1x8x31x5xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x8x8x5xf32>
