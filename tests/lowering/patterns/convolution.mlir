// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=EARLY-1},dce' --split-input-file | filecheck %s

// The core's convolutions are valid ones: the padding becomes a SlicePad_shape before them, the
// stride a shape, and an absent bias zeros.

// CHECK-LABEL: func.func @padded
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[BEFORE:.*]] = htp.Shape : !htp.shape<0x1x0x0>
// CHECK:       %[[START:.*]] = htp.Shape : !htp.shape<0x0x0x0>
// CHECK:       %[[SIZE:.*]] = htp.Shape : !htp.shape<1x10x9x4>
// CHECK:       %[[PADDED:.*]] = htp.SlicePad_shape(%[[X]], %[[BEFORE]], %[[START]], %[[SIZE]], %{{.*}}) : {{.*}} -> tensor<1x10x9x4xf32>
// CHECK:       %[[STRIDE:.*]] = htp.Shape : !htp.shape<1x2x1x1>
// CHECK:       htp.ConvLayer_valid(%[[PADDED]], %{{.*}}, %[[STRIDE]], %{{.*}}) : {{.*}} -> tensor<1x4x7x8xf32>
func.func @padded(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x7x8xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) {pad_amount = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x7x8xf32>
  func.return %0 : tensor<1x4x7x8xf32>
}

// -----

// Without padding there is nothing to pad.

// CHECK-LABEL: func.func @depthwise
// CHECK-NOT:   htp.SlicePad_shape
// CHECK:       htp.DepthwiseConvLayer_valid({{.*}}) : {{.*}} -> tensor<1x6x6x8xf32>
func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x1x8xf32>, %b: tensor<8xf32>) -> tensor<1x6x6x8xf32> {
  %0 = qti_aisw.DepthWiseConv2d(%x, %w, bias = %b) : (tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32>, tensor<8xf32>) -> tensor<1x6x6x8xf32>
  func.return %0 : tensor<1x6x6x8xf32>
}

// -----

// Dilation and groups have no valid form: the op stays, and its reference kernel runs it.

// CHECK-LABEL: func.func @kept
// CHECK-NOT:   htp.ConvLayer_valid
// CHECK-COUNT-2: htp.Conv2d
func.func @kept(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>, %v: tensor<3x3x2x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<1x6x6x8xf32>) {
  %0 = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = qti_aisw.Conv2d(%x, %v) {group = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %0, %1 : tensor<1x4x4x8xf32>, tensor<1x6x6x8xf32>
}

// -----

// Known windows side by side are patches whose pixels lie in the depth: a row behind the last ones
// is left out.

// CHECK-LABEL: func.func @patches
// CHECK:       %[[ALL:.*]] = htp.Slice_shape({{.*}}) : {{.*}} -> tensor<1x4x4x1xf32>
// CHECK:       %[[BLOCK:.*]] = htp.Shape : !htp.shape<1x2x2x1>
// CHECK:       %[[PATCHES:.*]] = htp.SpaceToDepth_shape(%[[ALL]], %[[BLOCK]], %{{.*}}) : {{.*}} -> tensor<1x2x2x4xf32>
// CHECK:       htp.ConvLayer_valid(%[[PATCHES]], {{.*}}) : (tensor<1x2x2x4xf32>, tensor<1x1x4x1xf32>, {{.*}}) -> tensor<1x2x2x1xf32>
func.func @patches(%x: tensor<1x5x4x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = qti_aisw.Const dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> -> tensor<2x2x1x1xf32>
  %0 = qti_aisw.Conv2d(%x, %w) {stride = array<i64: 2, 2>} : (tensor<1x5x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  func.return %0 : tensor<1x2x2x1xf32>
}

// -----

// The transpose of a convolution whose windows lie side by side is the core's; one whose windows
// overlap stays as it is, where its filter is not known.

// CHECK-LABEL: func.func @transposed
// CHECK:       %[[STRIDE:.*]] = htp.Shape : !htp.shape<1x2x2x1>
// CHECK:       htp.TransposeConvLayer_valid(%{{.*}}, %{{.*}}, %[[STRIDE]], %{{.*}}) : {{.*}} -> tensor<1x16x16x8xf32>
// CHECK:       htp.TransposeConv2d({{.*}}) : {{.*}} -> tensor<1x9x9x8xf32>
func.func @transposed(%x: tensor<1x8x8x4xf32>, %w: tensor<2x2x4x8xf32>) -> (tensor<1x16x16x8xf32>, tensor<1x9x9x8xf32>) {
  %0 = qti_aisw.TransposeConv2d(%x, %w) {stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x16x16x8xf32>
  %1 = qti_aisw.TransposeConv2d(%x, %w) {stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x9x9x8xf32>
  func.return %0, %1 : tensor<1x16x16x8xf32>, tensor<1x9x9x8xf32>
}

// -----

// With a known filter it is a convolution whose results are 2 x 2 phases each, from the row of phases
// that holds the first row on.

// CHECK-LABEL: func.func @phases
// CHECK:       htp.SlicePad_shape({{.*}}) : {{.*}} -> tensor<1x6x6x1xf32>
// CHECK:       %[[W:.*]] = htp.Const dense<{{.*}}3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00]]]]>
// CHECK:       htp.ConvLayer_valid(%{{.*}}, %[[W]], {{.*}} -> tensor<1x5x5x4xf32>
// CHECK:       %[[SPREAD:.*]] = htp.DepthToSpace_shape({{.*}}) : {{.*}} -> tensor<1x10x10x1xf32>
// CHECK:       htp.Slice_shape(%[[SPREAD]], {{.*}} -> tensor<1x8x8x1xf32>
func.func @phases(%x: tensor<1x4x4x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = qti_aisw.Const dense<[[[[1.0]], [[2.0]], [[3.0]]], [[[0.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.0]], [[0.0]]]]> : tensor<3x3x1x1xf32> -> tensor<3x3x1x1xf32>
  %0 = qti_aisw.TransposeConv2d(%x, %w) {stride = array<i64: 2, 2>, pad_amount = array<i64: 1, 0, 1, 0>} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x8x8x1xf32>
  func.return %0 : tensor<1x8x8x1xf32>
}

// -----

// Over time the same: the phases of a row, spread out along it.

// CHECK-LABEL: func.func @phases_of_a_row
// CHECK:       htp.ConvLayer_valid({{.*}} -> tensor<1x1x9x2xf32>
// CHECK:       htp.DepthToSpace_shape({{.*}}) : {{.*}} -> tensor<1x1x18x1xf32>
// CHECK:       htp.Slice_shape({{.*}} -> tensor<1x1x16x1xf32>
func.func @phases_of_a_row(%x: tensor<1x1x8x1xf32>) -> tensor<1x1x16x1xf32> {
  %w = qti_aisw.Const dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32> -> tensor<1x4x1x1xf32>
  %0 = qti_aisw.TransposeConv2d(%x, %w) {stride = array<i64: 1, 2>, pad_amount = array<i64: 0, 0, 1, 1>} : (tensor<1x1x8x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x16x1xf32>
  func.return %0 : tensor<1x1x16x1xf32>
}
