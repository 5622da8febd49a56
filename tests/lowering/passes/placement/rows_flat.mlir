// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=1048576}' | filecheck %s

// Layers over time are images of one row. In croutons seven rows of eight would be empty, so what
// they make and read is flat in TCM; an image of eight rows is in croutons as ever.

// CHECK-LABEL: func.func @time
// CHECK:       htp.ConvLayer_valid({{.*}} -> tensor<1x1x62x32xf32, #htp.place<flat, tcm, {{.*}}>>
// CHECK:       htp.ConvLayer_valid({{.*}} -> tensor<1x1x60x32xf32, #htp.place<flat, tcm, {{.*}}>>
func.func @time(%x: tensor<1x1x64x32xf32>, %w: tensor<1x3x32x32xf32>) -> tensor<1x1x60x32xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x1x64x32xf32>, tensor<1x3x32x32xf32>) -> tensor<1x1x62x32xf32>
  %1 = qti_aisw.Conv2d(%0, %w) : (tensor<1x1x62x32xf32>, tensor<1x3x32x32xf32>) -> tensor<1x1x60x32xf32>
  func.return %1 : tensor<1x1x60x32xf32>
}

// CHECK-LABEL: func.func @image
// CHECK:       htp.ConvLayer_valid({{.*}} -> tensor<1x8x62x32xf32, #htp.place<crouton, tcm, {{.*}}>>
func.func @image(%x: tensor<1x8x64x32xf32>, %w: tensor<1x3x32x32xf32>) -> tensor<1x8x62x32xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x64x32xf32>, tensor<1x3x32x32xf32>) -> tensor<1x8x62x32xf32>
  func.return %0 : tensor<1x8x62x32xf32>
}
