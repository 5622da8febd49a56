// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=2097152}' | filecheck %s
// RUN: htp lower %s --tcm-bytes 2097152 --explain-kernels 2>&1 | filecheck %s --check-prefix KERNEL

// The way up of a U-Net: between two convolutions an image is resized, then unfolded from its depth,
// both in croutons and in TCM, where the convolutions have it.

func.func @main(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32x32xf32>, %v: tensor<3x3x8x32xf32>) -> tensor<1x62x62x32xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) {pad_amount = array<i64: 1, 1, 1, 1>} : (tensor<1x16x16x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = qti_aisw.Resize(%0) {size = array<i64: 32, 32>, interpolation_mode = 1 : i64} : (tensor<1x16x16x32xf32>) -> tensor<1x32x32x32xf32>
  %2 = qti_aisw.DepthToSpace(%1) {block_size = array<i64: 2, 2>} : (tensor<1x32x32x32xf32>) -> tensor<1x64x64x8xf32>
  %3 = qti_aisw.Conv2d(%2, %v) : (tensor<1x64x64x8xf32>, tensor<3x3x8x32xf32>) -> tensor<1x62x62x32xf32>
  func.return %3 : tensor<1x62x62x32xf32>
}

// CHECK:      htp.ConvLayer_valid
// CHECK-NOT:  from_vtcm
// CHECK:      htp.Resize_places({{.*}} -> tensor<1x32x32x32xf32, #htp.place<crouton, tcm, {{.*}}>>
// CHECK-NOT:  from_vtcm
// CHECK:      htp.DepthToSpace_shape({{.*}} -> tensor<1x64x64x8xf32, #htp.place<crouton, tcm, {{.*}}>>
// CHECK:      htp.ConvLayer_valid

// KERNEL: htp.Resize_places{{.*}}: resize_places.FloatCroutonTensor_TCM
// KERNEL: htp.DepthToSpace_shape{{.*}}: spread.FloatCroutonTensor_TCM
