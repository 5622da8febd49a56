// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// A product reads weights as they are stored: a quarter of the bytes. Their encoding turns with them.

// CHECK-LABEL: func.func @matrix
// CHECK:       %[[W:.*]] = qti_aisw.Const dense<{{\[\[}}1, 4], [2, 5], [3, 6{{\]\]}}> : tensor<3x2xi8> -> tensor<3x2x!quant.uniform<i8:f32:0, 
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.FullyConnected(%x, %[[W]])
// CHECK-NEXT:  func.return %[[Y]]
func.func @matrix(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %w = qti_aisw.Const dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8> -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5,0.25,1.0}>>
  %d = qti_aisw.Dequantize(%w) : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5,0.25,1.0}>>) -> tensor<2x3xf32>
  %y = qti_aisw.MatMul(%x, %d) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// -----

// Weights of rank 3, one matrix for each batch, are no weights of a FullyConnected.

// CHECK-LABEL: func.func @batched
// CHECK:       qti_aisw.Dequantize
// CHECK-NEXT:  qti_aisw.MatMul
func.func @batched(%x: tensor<1x4x2xf32>) -> tensor<1x4x2xf32> {
  %w = qti_aisw.Const dense<1> : tensor<1x2x2xi8> -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>
  %d = qti_aisw.Dequantize(%w) : (tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x2xf32>
  %y = qti_aisw.MatMul(%x, %d) : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}
