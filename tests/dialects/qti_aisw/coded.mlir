// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Weights as codes: places in a table, some in a byte, with a scale and zero point for each block.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<5x64xf32>, %c: tensor<10x32xui8>, %t: tensor<16xf32>, %s: tensor<10x4xf32>, %z: tensor<1x1xui8>) {
  // CHECK: qti_aisw.DecodeWeights(%c, %t, %s, %z) : {{.*}} -> tensor<10x64xf32>
  %0 = qti_aisw.DecodeWeights(%c, %t, %s, %z) : (tensor<10x32xui8>, tensor<16xf32>, tensor<10x4xf32>, tensor<1x1xui8>) -> tensor<10x64xf32>
  // CHECK: qti_aisw.CodedFullyConnected(%x, %c, %t, %s, %z) : {{.*}} -> tensor<5x10xf32>
  // GENERIC: "qti_aisw.CodedFullyConnected"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (tensor<5x64xf32>
  %1 = qti_aisw.CodedFullyConnected(%x, %c, %t, %s, %z) : (tensor<5x64xf32>, tensor<10x32xui8>, tensor<16xf32>, tensor<10x4xf32>, tensor<1x1xui8>) -> tensor<5x10xf32>
  func.return
}

// -----

// ERROR: qti_aisw.DecodeWeights: operand 'table' has 15 elements, it must have one of 256, 16, 4
%c, %t, %s, %z = "test.op"() : () -> (tensor<8x16xui8>, tensor<15xf32>, tensor<8x2xf32>, tensor<1x1xui8>)
%w = qti_aisw.DecodeWeights(%c, %t, %s, %z) : (tensor<8x16xui8>, tensor<15xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<8x32xf32>

// -----

// ERROR: qti_aisw.DecodeWeights: operand 'scales' is 8x3, the codes are 8x32; the first must divide the second
%c, %t, %s, %z = "test.op"() : () -> (tensor<8x16xui8>, tensor<16xf32>, tensor<8x3xf32>, tensor<1x1xui8>)
%w = qti_aisw.DecodeWeights(%c, %t, %s, %z) : (tensor<8x16xui8>, tensor<16xf32>, tensor<8x3xf32>, tensor<1x1xui8>) -> tensor<8x32xf32>

// -----

// ERROR: qti_aisw.CodedFullyConnected: operand 'zeros' has 4 rows, it must have 1 or 8
%x, %c, %t, %s, %z = "test.op"() : () -> (tensor<1x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<4x1xui8>)
%y = qti_aisw.CodedFullyConnected(%x, %c, %t, %s, %z) : (tensor<1x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<4x1xui8>) -> tensor<1x8xf32>

// -----

// ERROR: qti_aisw.CodedFullyConnected: the weights take 32 features, the data has 16; they must be equal
%x, %c, %t, %s, %z = "test.op"() : () -> (tensor<1x16xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>)
%y = qti_aisw.CodedFullyConnected(%x, %c, %t, %s, %z) : (tensor<1x16xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<1x8xf32>
