// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING tcm-bytes=131072},htp-rules{first=MIDDLE},cse,dce' --split-input-file | filecheck %s

// What would hold more than half of the TCM is cut into tiles of whole croutons, joined by a
// Concat. A tile of a convolution reads the rows that its windows reach: two more than it has.

// CHECK-LABEL: func.func @rows
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[UP:.*]] = htp.Slice_shape(%[[X]], {{.*}}!htp.shape<0x0x0x0>, !htp.shape<1x18x10x32>{{.*}} -> tensor<1x18x10x32xf32>
// CHECK:       %[[TOP:.*]] = htp.ConvLayer_valid(%[[UP]], {{.*}} -> tensor<1x16x8x8xf32>
// CHECK:       %[[DOWN:.*]] = htp.Slice_shape(%[[X]], {{.*}}!htp.shape<0x16x0x0>, !htp.shape<1x18x10x32>{{.*}} -> tensor<1x18x10x32xf32>
// CHECK:       %[[BOTTOM:.*]] = htp.ConvLayer_valid(%[[DOWN]], {{.*}} -> tensor<1x16x8x8xf32>
// CHECK:       htp.Concat(%{{.*}}, %[[TOP]], %[[BOTTOM]]) : {{.*}} -> tensor<1x32x8x8xf32>
func.func @rows(%x: tensor<1x34x10x32xf32>, %w: tensor<3x3x32x8xf32>) -> tensor<1x32x8x8xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x34x10x32xf32>, tensor<3x3x32x8xf32>) -> tensor<1x32x8x8xf32>
  func.return %0 : tensor<1x32x8x8xf32>
}

// -----

// Weights that are too large are cut into groups of filters; all of them read the whole input.

// CHECK-LABEL: func.func @filters
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[FIRST:.*]] = htp.ConvLayer_valid(%[[X]], {{.*}}) : {{.*}}tensor<1x1x64x64xf32>{{.*}} -> tensor<1x8x8x64xf32>
// CHECK:       %[[SECOND:.*]] = htp.ConvLayer_valid(%[[X]], {{.*}}) : {{.*}}tensor<1x1x64x64xf32>{{.*}} -> tensor<1x8x8x64xf32>
// CHECK:       htp.Concat(%{{.*}}, %[[FIRST]], %[[SECOND]])
func.func @filters(%x: tensor<1x8x8x64xf32>, %w: tensor<1x1x64x128xf32>) -> tensor<1x8x8x128xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x64xf32>, tensor<1x1x64x128xf32>) -> tensor<1x8x8x128xf32>
  func.return %0 : tensor<1x8x8x128xf32>
}

// -----

// A pool is cut like a convolution, by its windows.

// CHECK-LABEL: func.func @pool
// CHECK:       htp.Slice_shape({{.*}}!htp.shape<1x16x16x32>{{.*}} -> tensor<1x16x16x32xf32>
// CHECK:       htp.MaxPool_valid({{.*}} -> tensor<1x8x8x32xf32>
// CHECK:       htp.Concat({{.*}} -> tensor<1x16x8x32xf32>
func.func @pool(%x: tensor<1x32x16x32xf32>) -> tensor<1x16x8x32xf32> {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x32x16x32xf32>) -> tensor<1x16x8x32xf32>
  func.return %0 : tensor<1x16x8x32xf32>
}

// -----

// An operand that broadcasts along the cut dim is read whole.

// CHECK-LABEL: func.func @broadcast
// CHECK:       %[[Y:.*]] = htp.Reshape(%y)
// CHECK:       %[[A:.*]] = htp.Slice_shape(
// CHECK:       htp.Mul(%[[A]], %[[Y]]) : {{.*}} -> tensor<1x8x16x32xf32>
// CHECK:       htp.Concat({{.*}} -> tensor<1x16x16x32xf32>
func.func @broadcast(%x: tensor<1x16x16x32xf32>, %y: tensor<1x1x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %0 = qti_aisw.ElementWiseMultiply(%x, %y) : (tensor<1x16x16x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x16x16x32xf32>
  func.return %0 : tensor<1x16x16x32xf32>
}

// -----

// Rows of a dense layer, of a product and of a Softmax along the depth are independent.

// CHECK-LABEL: func.func @independent
// CHECK:       htp.FullyConnected({{.*}} -> tensor<1x1x64x128xf32>
// CHECK:       htp.FullyConnected({{.*}} -> tensor<1x1x64x128xf32>
// CHECK:       htp.Concat({{.*}} -> tensor<1x1x128x128xf32>
// CHECK:       htp.MatMul({{.*}} -> tensor<1x1x64x128xf32>
// CHECK:       htp.MatMul({{.*}} -> tensor<1x1x64x128xf32>
// CHECK:       htp.Softmax({{.*}} -> tensor<1x1x64x128xf32>
// CHECK:       htp.Softmax({{.*}} -> tensor<1x1x64x128xf32>
func.func @independent(%x: tensor<128x32xf32>, %y: tensor<32x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %w = qti_aisw.Const dense<0.5> : tensor<128x32xf32> -> tensor<128x32xf32>
  %0 = qti_aisw.FullyConnected(%x, %w) : (tensor<128x32xf32>, tensor<128x32xf32>) -> tensor<128x128xf32>
  %1 = qti_aisw.MatMul(%x, %y) : (tensor<128x32xf32>, tensor<32x128xf32>) -> tensor<128x128xf32>
  %2 = qti_aisw.Softmax(%1) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  func.return %0, %2 : tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

// A mean whose padding does not count is cut along its channels alone.

// CHECK-LABEL: func.func @mean
// CHECK:       htp.Slice_shape({{.*}}!htp.shape<1x16x16x32>{{.*}} -> tensor<1x16x16x32xf32>
// CHECK:       htp.PoolAvg2d({{.*}} -> tensor<1x16x16x32xf32>
// CHECK:       htp.PoolAvg2d({{.*}} -> tensor<1x16x16x32xf32>
// CHECK:       htp.Concat({{.*}} -> tensor<1x16x16x64xf32>
func.func @mean(%x: tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32> {
  %0 = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 3, 3>, pad_amount = array<i64: 1, 1, 1, 1>} : (tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  func.return %0 : tensor<1x16x16x64xf32>
}
