// RUN: htp-opt %s -p qti-take-encodings --split-input-file | filecheck %s
// RUN: htp-opt %s -p htp-lower --split-input-file | filecheck %s --check-prefix LOWERED

// What stands between a Dequantize and a Quantize gets their encodings, and the pair goes. The Relu
// is idle, as u8 with zero point 0 holds no number below 0.

// CHECK-LABEL: func.func @main
// CHECK:       %[[Q:.*]] = qti_aisw.Quantize(%x)
// CHECK-NEXT:  %[[W:.*]] = qti_aisw.Const
// CHECK-NEXT:  %[[B:.*]] = qti_aisw.Const {{.*}} tensor<2x!quant.uniform<i32:f32:0, {1.250000e-01, 2.500000e-01}>>
// CHECK-NEXT:  %[[C:.*]] = qti_aisw.Conv2d(%[[Q]], %[[W]], bias = %[[B]]) : {{.*}} -> tensor<1x4x4x2x!quant.uniform<u8:f32, 1.000000e+00>>
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Dequantize(%[[C]])
// CHECK-NEXT:  func.return %[[Y]]
// LOWERED:     htp.ConvLayer_valid
func.func @main(%x: tensor<1x4x4x2xf32> {htp.name = "x"}) -> (tensor<1x4x4x2xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<[[[[1, 2], [3, 4]]]]> : tensor<1x1x2x2xi8> -> tensor<1x1x2x2x!quant.uniform<i8:f32:3, {0.25, 0.5}>>
  %f = qti_aisw.Dequantize(%w) : (tensor<1x1x2x2x!quant.uniform<i8:f32:3, {0.25, 0.5}>>) -> tensor<1x1x2x2xf32>
  %b = qti_aisw.Const dense<[1.0, -1.0]> : tensor<2xf32> -> tensor<2xf32>
  %q = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5:128>} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:128>>
  %d = qti_aisw.Dequantize(%q) : (tensor<1x4x4x2x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<1x4x4x2xf32>
  %c = qti_aisw.Conv2d(%d, %f, bias = %b) : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %r = qti_aisw.Relu(%c) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %p = qti_aisw.Quantize(%r) {to = !quant.uniform<u8:f32, 1.0>} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 1.0>>
  %y = qti_aisw.Dequantize(%p) : (tensor<1x4x4x2x!quant.uniform<u8:f32, 1.0>>) -> tensor<1x4x4x2xf32>
  func.return %y : tensor<1x4x4x2xf32>
}

// -----
// Quantised inputs and outputs stay so; two readers with two encodings get a Quantize of integers,
// from the encoding that reaches farther.

// CHECK-LABEL: func.func @main
// CHECK:       %[[Z:.*]] = qti_aisw.Sigmoid(%x) : (tensor<4x8x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x8x!quant.uniform<u8:f32, 7.812500e-03>>
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Quantize(%[[Z]]) {to = !quant.uniform<u8:f32, 3.906250e-03>}
// CHECK-NEXT:  func.return %[[Y]], %[[Z]]
// LOWERED:     htp.Sigmoid
// LOWERED:     htp.Quantize
func.func @main(%x: tensor<4x8x!quant.uniform<i8:f32, 0.5>> {htp.name = "x"}) -> (tensor<4x8x!quant.uniform<u8:f32, 0.00390625>> {htp.name = "y"}, tensor<4x8x!quant.uniform<u8:f32, 0.0078125>> {htp.name = "z"}) {
  %d = qti_aisw.Dequantize(%x) : (tensor<4x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x8xf32>
  %s = qti_aisw.Sigmoid(%d) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = qti_aisw.Quantize(%s) {to = !quant.uniform<u8:f32, 0.00390625>} : (tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<u8:f32, 0.00390625>>
  %z = qti_aisw.Quantize(%s) {to = !quant.uniform<u8:f32, 0.0078125>} : (tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<u8:f32, 0.0078125>>
  func.return %y, %z : tensor<4x8x!quant.uniform<u8:f32, 0.00390625>>, tensor<4x8x!quant.uniform<u8:f32, 0.0078125>>
}
