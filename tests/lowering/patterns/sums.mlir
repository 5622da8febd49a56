// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING-1},htp-plan-tiles{tcm-bytes=262144},htp-rules{first=TILING last=MIDDLE-1 tcm-bytes=262144},htp-fold,cse,dce' --split-input-file | filecheck %s

// Few rows of 6,144 elements fit, and each block of rows reads the weights again. In parts of what is
// summed over all rows fit: the sum of each part is added to those before, the bias is in the first.

// CHECK-LABEL: func.func @parts
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[BIAS:.*]] = htp.Const dense<2.500000e-01>
// CHECK:       %[[A:.*]] = htp.Slice_shape(%[[X]], {{.*}} -> tensor<1x1x64x384xf32>
// CHECK:       %[[FIRST:.*]] = htp.FullyConnected(%[[A]], %{{.*}}, %[[BIAS]])
// CHECK:       %[[B:.*]] = htp.Slice_shape(%[[X]], {{.*}} -> tensor<1x1x64x384xf32>
// CHECK:       %[[ZERO:.*]] = htp.Const dense<0.000000e+00>
// CHECK:       %[[SECOND:.*]] = htp.FullyConnected(%[[B]], %{{.*}}, %[[ZERO]])
// CHECK:       %[[BOTH:.*]] = htp.Add(%[[FIRST]], %[[SECOND]])
// CHECK:       %[[THIRD:.*]] = htp.FullyConnected(
// CHECK:       htp.Add(%[[BOTH]], %[[THIRD]])
func.func @parts(%x: tensor<64x6144xf32>) -> tensor<64x128xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<128x6144xf32> -> tensor<128x6144xf32>
  %b = qti_aisw.Const dense<0.25> : tensor<128xf32> -> tensor<128xf32>
  %0 = qti_aisw.FullyConnected(%x, %w, bias = %b) : (tensor<64x6144xf32>, tensor<128x6144xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  func.return %0 : tensor<64x128xf32>
}

// -----

// The filters of 32 results and 512 channels do not fit: the channels are cut, and what the layer does
// with its sum is done once, at the end.

// CHECK-LABEL: func.func @then
// CHECK:       %[[FIRST:.*]] = htp.ConvLayer_valid({{.*}}tensor<3x3x[[N:[0-9]+]]x32xf32>{{.*}} -> tensor<1x8x8x32xf32>
// CHECK:       %[[SECOND:.*]] = htp.ConvLayer_valid({{.*}}tensor<3x3x[[N]]x32xf32>{{.*}} -> tensor<1x8x8x32xf32>
// CHECK:       %[[SUM:.*]] = htp.Add(%[[FIRST]], %[[SECOND]])
// CHECK:       htp.Clamp(
// CHECK-NOT:   htp.Clamp(
func.func @then(%x: tensor<1x10x10x512xf32>, %w: tensor<3x3x512x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x10x10x512xf32>, tensor<3x3x512x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %1 : tensor<1x8x8x32xf32>
}

// -----

// Sums of f16 stay whole: their parts would be rounded.

// CHECK-LABEL: func.func @rounded
// CHECK-NOT:   htp.Add
func.func @rounded(%x: tensor<64x6144xf16>, %w: tensor<128x6144xf16>) -> tensor<64x128xf16> {
  %0 = qti_aisw.FullyConnected(%x, %w) : (tensor<64x6144xf16>, tensor<128x6144xf16>) -> tensor<64x128xf16>
  func.return %0 : tensor<64x128xf16>
}

// -----

// Each row of a dilated convolution reads rows far apart, so that few columns of all channels fit. In parts
// of the channels rows are read whole.

// CHECK-LABEL: func.func @dilated
// CHECK:       %[[FIRST:.*]] = htp.Conv2d({{.*}}tensor<3x3x[[N:[0-9]+]]x32xf32>
// CHECK:       %[[SECOND:.*]] = htp.Conv2d({{.*}}tensor<3x3x[[N]]x32xf32>
// CHECK:       htp.Add(%[[FIRST]], %[[SECOND]])
func.func @dilated(%x: tensor<1x33x33x128xf32>, %w: tensor<3x3x128x32xf32>) -> tensor<1x33x33x32xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 8, 8>, pad_amount = array<i64: 8, 8, 8, 8>} : (tensor<1x33x33x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x33x33x32xf32>
  func.return %0 : tensor<1x33x33x32xf32>
}
