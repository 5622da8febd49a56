// RUN: htp-opt %s -p 'htp-lower{level=native}' --split-input-file --elide-constants 64 | filecheck %s
// RUN: htp-opt %s -p 'htp-lower' --split-input-file --elide-constants 64 | filecheck %s --check-prefix PLACED

// A convolution in few groups has one dense filter, which is 0 between groups.

// CHECK-LABEL: func.func @few
// CHECK:       %[[W:.*]] = htp.Const dense<{{\[\[\[\[}}5.000000e-01, 0.000000e+00], [0.000000e+00, 5.000000e-01]]]]>
// CHECK:       htp.ConvLayer_valid(%{{.*}}, %[[W]],
func.func @few(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %0 = qti_aisw.Conv2d(%x, %w) {group = 2 : i64} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  func.return %0 : tensor<1x4x4x2xf32>
}

// -----

// Where that would be large, the groups of 32 channels have one each.

// CHECK-LABEL:   func.func @many
// CHECK-COUNT-2: htp.ConvLayer_valid(%{{.*}}, %{{.*}}, {{.*}} : (tensor<1x4x4x32xf32>, tensor<3x3x32x160xf32>
// CHECK-NOT:     htp.Conv
// CHECK:         htp.Concat
func.func @many(%x: tensor<1x4x4x64xf32>) -> tensor<1x2x2x320xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<3x3x16x320xf32> -> tensor<3x3x16x320xf32>
  %0 = qti_aisw.Conv2d(%x, %w) {group = 4 : i64} : (tensor<1x4x4x64xf32>, tensor<3x3x16x320xf32>) -> tensor<1x2x2x320xf32>
  func.return %0 : tensor<1x2x2x320xf32>
}

// -----

// One with a dilation has its padding apart, and runs from croutons in TCM.

// CHECK-LABEL: func.func @spaced
// CHECK:       htp.SlicePad_shape
// CHECK:       %[[PADS:.*]] = htp.Const dense<0> : tensor<1x1x2x2xi32>
// CHECK:       htp.Conv2d(%{{.*}}, %[[PADS]],

// PLACED-LABEL: func.func @spaced
// PLACED:       htp.Conv2d({{.*}}kernel = "spaced.FloatCroutonTensor_TCM.PlainFloatTensor_TCM"
func.func @spaced(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<3x3x32x32xf32> -> tensor<3x3x32x32xf32>
  %0 = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 2, 2>, pad_amount = array<i64: 2, 2, 2, 2>} : (tensor<1x8x8x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}

// -----

// Taps that read padding alone are left out: of nine that are 9 apart one reads an image of 8 x 8.

// CHECK-LABEL: func.func @larger_than_the_image
// CHECK-NOT:   htp.SlicePad_shape
// CHECK:       htp.ConvLayer_valid(%{{.*}}, %{{.*}}, {{.*}} : (tensor<1x8x8x32xf32>, tensor<1x1x32x32xf32>
func.func @larger_than_the_image(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<3x3x32x32xf32> -> tensor<3x3x32x32xf32>
  %0 = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 9, 9>, pad_amount = array<i64: 9, 9, 9, 9>} : (tensor<1x8x8x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}
