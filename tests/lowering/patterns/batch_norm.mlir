// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING-1},htp-fold,dce' --split-input-file | filecheck %s

// A Batchnorm behind a convolution scales its weights and its bias, at compile time.

// CHECK-LABEL: func.func @folded
// CHECK-DAG:   %[[WEIGHTS:.*]] = htp.Const dense<{{\[\[\[\[}}2.0{{.*}}, 6.0{{.*}}]]]]>
// CHECK-DAG:   %[[BIAS:.*]] = htp.Const dense<{{\[\[\[\[}}1.5{{.*}}, 2.5{{.*}}]]]]>
// CHECK:       htp.ConvLayer_valid(%{{.*}}, %[[WEIGHTS]], %{{.*}}, %[[BIAS]])
// CHECK-NOT:   htp.Batchnorm
func.func @folded(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %b = qti_aisw.Const dense<0.5> : tensor<2xf32> -> tensor<2xf32>
  %s = qti_aisw.Const dense<[2.0, 3.0]> : tensor<2xf32> -> tensor<2xf32>
  %o = qti_aisw.Const dense<[0.5, 1.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w, bias = %b) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %o) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}

// -----

// Scales that are inputs cannot be folded.

// CHECK-LABEL: func.func @fed
// CHECK:       htp.ConvLayer_valid
// CHECK:       htp.Batchnorm
func.func @fed(%x: tensor<1x4x4x1xf32>, %s: tensor<2xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}

// -----

// Filters that are stored as integers stay so: their scales are multiplied, and where a factor is
// negative, the integers change sign.

// CHECK-LABEL: func.func @stored
// CHECK:       %[[W:.*]] = htp.Const dense<{{\[\[\[\[}}3, 4]]]]> : {{.*}} -> tensor<1x1x1x2x!quant.uniform<i8:f32:3, {1.0{{.*}}, 1.5{{.*}}}>>
// CHECK:       htp.ConvLayer_valid(%{{.*}}, %[[W]],
// CHECK-NOT:   htp.Batchnorm
func.func @stored(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<[[[[3, -4]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>
  %s = qti_aisw.Const dense<[2.0, -3.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}

// -----

// There is no 128 of int8: with -128 and a negative factor the Batchnorm stays.

// CHECK-LABEL: func.func @least
// CHECK:       htp.ConvLayer_valid
// CHECK:       htp.Batchnorm
func.func @least(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<[[[[3, -128]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>
  %s = qti_aisw.Const dense<[2.0, -3.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x1xf32>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Batchnorm(%0, %s, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}
