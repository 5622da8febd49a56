// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=131072}' | filecheck %s
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=131072 blocks=true}' | filecheck %s --check-prefix BLOCKS

// The image becomes twice as large between convolutions. In columns alone the second convolution
// fits in no chain with it; with `blocks` both go in step, in blocks of 32 rows and four columns.

// CHECK:       htp.ConvLayer_valid(%0, %w, %s, %b) {htp.tile = [array<i64: 2, 2>], htp.in_step}
// CHECK-NEXT:  htp.ResizeNearestNeighbor_shape(%1, %f) {htp.tile = [array<i64: 2, 4>]}
// CHECK-NEXT:  htp.ConvLayer_valid(%2, %w, %s, %b) {htp.tile = [array<i64: 1, 16>, array<i64: 2, 14>]}
// BLOCKS:      htp.ConvLayer_valid(%0, %w, %s, %b) {htp.tile = [array<i64: 1, 32>, array<i64: 2, 8>]}
// BLOCKS-NEXT: htp.ResizeNearestNeighbor_shape(%1, %f) {htp.tile = [array<i64: 1, 32>, array<i64: 2, 4>], htp.in_step}
// BLOCKS-NEXT: htp.ConvLayer_valid(%2, %w, %s, %b) {htp.tile = [array<i64: 1, 32>, array<i64: 2, 4>]}
func.func @main(%x: tensor<1x66x66x32xf32>) -> tensor<1x126x126x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x66x66x32xf32>) -> tensor<1x66x66x32xf32>
  %w = htp.Const dense<0.5> : tensor<3x3x32x32xf32> -> tensor<3x3x32x32xf32>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %f = htp.Shape : !htp.shape<1x2x2x1>
  %b = htp.Const dense<0.0> : tensor<1x1x1x32xf32> -> tensor<1x1x1x32xf32>
  %1 = htp.ConvLayer_valid(%0, %w, %s, %b) : (tensor<1x66x66x32xf32>, tensor<3x3x32x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> tensor<1x64x64x32xf32>
  %2 = htp.ResizeNearestNeighbor_shape(%1, %f) : (tensor<1x64x64x32xf32>, !htp.shape<1x2x2x1>) -> tensor<1x128x128x32xf32>
  %3 = htp.ConvLayer_valid(%2, %w, %s, %b) : (tensor<1x128x128x32xf32>, tensor<3x3x32x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> tensor<1x126x126x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x126x126x32xf32>) -> tensor<1x126x126x32xf32>
  func.return %4 : tensor<1x126x126x32xf32>
}
