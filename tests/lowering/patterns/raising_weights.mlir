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

// -----

// Codes of 4 bits stay two in a byte; turned, they are packed along the other dim: row 0 is 1, 3.

// CHECK-LABEL: func.func @codes
// CHECK:       %[[C:.*]] = qti_aisw.Const dense<{{\[\[}}49], [66{{\]\]}}> : tensor<2x1xui8>
// CHECK:       qti_aisw.CodedFullyConnected(%x, %[[C]], %{{.*}}) : {{.*}} -> tensor<4x2xf32>
func.func @codes(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %c = qti_aisw.Const dense<[[33], [67]]> : tensor<2x1xui8> -> tensor<2x1xui8>
  %t = qti_aisw.Const dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : tensor<16xf32> -> tensor<16xf32>
  %s = qti_aisw.Const dense<[[0.5, 0.25]]> : tensor<1x2xf32> -> tensor<1x2xf32>
  %z = qti_aisw.Const dense<8> : tensor<1x1xui8> -> tensor<1x1xui8>
  %d = qti_aisw.DecodeWeights(%c, %t, %s, %z) : (tensor<2x1xui8>, tensor<16xf32>, tensor<1x2xf32>, tensor<1x1xui8>) -> tensor<2x2xf32>
  %y = qti_aisw.MatMul(%x, %d) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// -----

// A convolution, too, reads filters as they are stored.

// CHECK-LABEL: func.func @filters
// CHECK:       %[[W:.*]] = qti_aisw.Const
// CHECK-NEXT:  qti_aisw.Conv2d(%x, %[[W]])
func.func @filters(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = qti_aisw.Const dense<1> : tensor<1x1x2x3xi8> -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {0.5,0.25,1.0}>>
  %d = qti_aisw.Dequantize(%w) : (tensor<1x1x2x3x!quant.uniform<i8:f32:3, {0.5,0.25,1.0}>>) -> tensor<1x1x2x3xf32>
  %y = qti_aisw.Conv2d(%x, %d) : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  func.return %y : tensor<1x4x4x3xf32>
}

// -----

// A bias behind a product is its own.

// CHECK-LABEL: func.func @bias
// CHECK:       %[[B:.*]] = qti_aisw.Const dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-NEXT:  qti_aisw.FullyConnected(%x, %{{.*}}, bias = %[[B]])
func.func @bias(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %w = qti_aisw.Const dense<1> : tensor<3x2xi8> -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  %b = qti_aisw.Const dense<[1.0, 2.0, 3.0]> : tensor<3xf32> -> tensor<3xf32>
  %p = qti_aisw.FullyConnected(%x, %w) : (tensor<4x2xf32>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x3xf32>
  %y = qti_aisw.ElementWiseAdd(%p, %b) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// -----

// Filters that are stored as integers stay so: their scales are multiplied, and where a factor is
// negative, the integers change sign.

// CHECK-LABEL: func.func @stored
// CHECK:       %[[W:.*]] = qti_aisw.Const dense<{{\[\[\[\[}}3, 4]]]]> : {{.*}} -> tensor<1x1x1x2x!quant.uniform<i8:f32:3, {1.0{{.*}}, 1.5{{.*}}}>>
// CHECK:       %[[B:.*]] = qti_aisw.Const dense<[4.000000e+00, -6.000000e+00]>
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Conv2d(%x, %[[W]], bias = %[[B]])
// CHECK-NEXT:  func.return %[[Y]]
func.func @stored(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<[[[[3, -4]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>
  %s = qti_aisw.Const dense<[2.0, -3.0]> : tensor<2xf32> -> tensor<2xf32>
  %b = qti_aisw.Const dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w, bias = %b) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}

// -----

// There is no 128 of int8: with -128 and a negative factor the Batchnorm stays.

// CHECK-LABEL: func.func @least
// CHECK:       qti_aisw.Conv2d
// CHECK:       qti_aisw.Batchnorm
func.func @least(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<[[[[3, -128]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>
  %s = qti_aisw.Const dense<[2.0, -3.0]> : tensor<2xf32> -> tensor<2xf32>
  %b = qti_aisw.Const dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w, bias = %b) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}
