// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=524288}' | filecheck %s

// Rows of eight are planned, whose ten rows of input take two rows of croutons: more than fit. What
// a plan leaves too large for the TCM is halved.

// CHECK:     htp.ConvLayer_valid({{.*}} -> tensor<1x8x16x64xf32
// CHECK-NOT: htp.ConvLayer_valid({{.*}} -> tensor<1x8x62x64xf32
func.func @main(%x: tensor<1x64x64x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x64x64x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32>
  func.return %0 : tensor<1x62x62x64xf32>
}
