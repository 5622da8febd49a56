// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Products with weights of codes. The table says how many of them a byte holds: 2 with 16 numbers.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x1x4x32xf32>, %c: tensor<1x1x8x16xui8>, %t: tensor<1x1x1x16xf32>, %s: tensor<1x1x8x2xf32>, %z: tensor<1x1x1x1xui8>, %b: tensor<1x1x1x8xf32>) {
  // CHECK: htp.DecodeWeights(%c, %t, %s, %z) : {{.*}} -> tensor<1x1x8x32xf32>
  %0 = htp.DecodeWeights(%c, %t, %s, %z) : (tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>) -> tensor<1x1x8x32xf32>
  // CHECK: htp.CodedFullyConnected(%x, %c, %t, %s, %z, %b) : {{.*}} -> tensor<1x1x4x8xf32>
  // GENERIC: "htp.CodedFullyConnected"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
  %1 = htp.CodedFullyConnected(%x, %c, %t, %s, %z, %b) : (tensor<1x1x4x32xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
  func.return
}

// -----

// ERROR: htp.CodedFullyConnected: the weights take 32 features, operand 'in' has depth 16; they must be equal
%x, %c, %t, %s, %z, %b = "test.op"() : () -> (tensor<1x1x4x16xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>)
%y = htp.CodedFullyConnected(%x, %c, %t, %s, %z, %b) : (tensor<1x1x4x16xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>

// -----

// ERROR: htp.DecodeWeights: operand 'zeros' is 1x1x3x1, it must divide 8 rows of 32
%c, %t, %s, %z = "test.op"() : () -> (tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x3x1xui8>)
%w = htp.DecodeWeights(%c, %t, %s, %z) : (tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x3x1xui8>) -> tensor<1x1x8x32xf32>
