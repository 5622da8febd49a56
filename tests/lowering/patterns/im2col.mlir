// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules,dce' | filecheck %s

// A quantised convolution of stride 2 over three channels becomes a pointwise one: its windows are
// gathered into rows of 32 columns, 3 x 3 x 3 of them used, and so are its weights.

// CHECK-LABEL: func.func @main
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[TAPS:.*]] = htp.Shape : !htp.shape<3x3x3x32>
// CHECK:       %[[ROWS:.*]] = htp.ConvLayer.opt.im2col_stride2(%[[X]], %[[TAPS]]) : {{.*}} -> tensor<1x4x5x32x!quant.uniform<u8:f32, {{.*}}:128>>
// CHECK:       %[[COLUMNS:.*]] = htp.ConvLayer.opt.weights_for_im2col(%{{.*}}) : {{.*}} -> tensor<1x1x32x32x!quant.uniform<u8:f32, {{.*}}:120>>
// CHECK:       %[[ONE:.*]] = htp.Shape : !htp.shape<1x1x1x1>
// CHECK:       htp.ConvLayer_valid(%[[ROWS]], %[[COLUMNS]], %[[ONE]], %{{.*}})
func.func @main(%x: tensor<1x9x11x3x!quant.uniform<u8:f32, 0.05:128>>, %w: tensor<3x3x3x32x!quant.uniform<u8:f32, 0.02:120>>) -> tensor<1x4x5x32x!quant.uniform<u8:f32, 0.1:100>> {
  %0 = qti_aisw.Conv2d(%x, %w) {stride = array<i64: 2, 2>} : (tensor<1x9x11x3x!quant.uniform<u8:f32, 0.05:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 0.02:120>>) -> tensor<1x4x5x32x!quant.uniform<u8:f32, 0.1:100>>
  func.return %0 : tensor<1x4x5x32x!quant.uniform<u8:f32, 0.1:100>>
}
