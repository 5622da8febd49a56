// RUN: htp-opt %s -p 'qti-quantize{encodings="%S/encodings.json"}' | filecheck %s
// RUN: htp-opt %s -p 'qti-quantize{encodings="%S/encodings.json"},htp-lower' | filecheck %s --check-prefix LOWERED

// Tensors of a file's names get its encodings. Relu's serves the Conv2d before it, which has none,
// and is idle on them; the weights have a scale per channel, the bias the product of scales; Tanh has
// no encoding and stays.

// CHECK-LABEL: func.func @main
// CHECK:       %[[X:.*]] = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 5.000000e-01:128>}
// CHECK:       %[[W:.*]] = qti_aisw.Const {{.*}} tensor<1x1x2x2x!quant.uniform<i8:f32:3, {2.500000e-01, 5.000000e-01}>>
// CHECK:       %[[B:.*]] = qti_aisw.Const {{.*}} tensor<2x!quant.uniform<i32:f32:0, {1.250000e-01, 2.500000e-01}>>
// CHECK:       %[[C:.*]] = qti_aisw.Conv2d(%[[X]], %[[W]], bias = %[[B]]) : {{.*}} -> tensor<1x4x4x2x!quant.uniform<u8:f32, 1.000000e+00>>
// CHECK-NEXT:  %[[F:.*]] = qti_aisw.Dequantize(%[[C]])
// CHECK:       qti_aisw.Tanh(%[[F]]) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
// LOWERED:     kernel
func.func @main(%x: tensor<1x4x4x2xf32> {htp.name = "x"}) -> (tensor<1x4x4x2xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32> -> tensor<1x1x2x2xf32>
  %b = qti_aisw.Const dense<[1.0, -1.0]> : tensor<2xf32> -> tensor<2xf32>
  %c = qti_aisw.Conv2d(%x, %w, bias = %b) : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %r = qti_aisw.Relu(%c) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %t = qti_aisw.Tanh(%r) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  func.return %t : tensor<1x4x4x2xf32>
}
