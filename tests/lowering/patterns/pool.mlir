// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=EARLY-1},dce' --split-input-file | filecheck %s

// A max pool pads with what never wins.

// CHECK-LABEL: func.func @max
// CHECK:       %[[LOWEST:.*]] = htp.Const dense<"0x000080FF">
// CHECK:       %[[PADDED:.*]] = htp.SlicePad_shape({{.*}}, %[[LOWEST]]) : {{.*}} -> tensor<1x9x8x4xf32>
// CHECK:       %[[WINDOW:.*]] = htp.Shape : !htp.shape<1x3x2x1>
// CHECK:       %[[STRIDE:.*]] = htp.Shape : !htp.shape<1x2x2x1>
// CHECK:       htp.MaxPool_valid(%[[PADDED]], %[[WINDOW]], %[[STRIDE]]) : {{.*}} -> tensor<1x4x4x4xf32>
func.func @max(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 2>, pad_amount = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %0 : tensor<1x4x4x4xf32>
}

// -----

// Where the last window hangs over, the padding reaches as far.

// CHECK-LABEL: func.func @hanging
// CHECK:       htp.SlicePad_shape({{.*}}) : {{.*}} -> tensor<1x9x9x4xf32>
// CHECK:       htp.MaxPool_valid
func.func @hanging(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 3>, rounding_mode = 1 : i64, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %0 : tensor<1x4x4x4xf32>
}

// -----

// The mean of a padded window is a valid pool only where the padding counts.

// CHECK-LABEL: func.func @mean
// CHECK:       htp.AvgPool_valid
// CHECK:       htp.SlicePad_shape
// CHECK:       htp.AvgPool_valid
// CHECK:       htp.PoolAvg2d
// CHECK-NOT:   htp.AvgPool_valid
func.func @mean(%x: tensor<1x8x8x4xf32>) -> (tensor<1x7x7x4xf32>, tensor<1x8x7x4xf32>, tensor<1x8x7x4xf32>) {
  %0 = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  %1 = qti_aisw.PoolAvg2d(%x) {count_pad_for_edges = true, filter_size = array<i64: 2, 2>, pad_amount = array<i64: 1, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x7x4xf32>
  %2 = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 2, 2>, pad_amount = array<i64: 1, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x7x4xf32>
  func.return %0, %1, %2 : tensor<1x7x7x4xf32>, tensor<1x8x7x4xf32>, tensor<1x8x7x4xf32>
}
