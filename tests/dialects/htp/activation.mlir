// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Activations and the addition of a bias. Bounds and slopes are operands.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>, %n: tensor<1x1x1x1xf32>, %b: tensor<1x1x1x32xf32>) {
  // CHECK: htp.Relu(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = htp.Relu(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  // CHECK: htp.Clamp(%x, %n, %n) :
  // GENERIC: "htp.Clamp"(%[[X:.*]], %[[N:.*]], %[[N]]) :
  %1 = htp.Clamp(%x, %n, %n) : (tensor<1x8x8x32xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>
  // CHECK: htp.Prelu(%x, %b) :
  %2 = htp.Prelu(%x, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  // CHECK: htp.BiasAdd(%x, %b) :
  %3 = htp.BiasAdd(%x, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Elu: param 'alpha' has 2048 numbers, it takes 1
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Elu(%x, %x) : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>

// -----

// ERROR: htp.BiasAdd: operand 'bias' has extent 64 in dim 3, operand 'in' gives 32; they must be equal
%x, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x1x1x64xf32>)
%y = htp.BiasAdd(%x, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x64xf32>) -> tensor<1x8x8x32xf32>
