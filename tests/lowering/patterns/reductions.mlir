// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING-1 tcm-bytes=262144},htp-plan-tiles{tcm-bytes=262144},htp-rules{first=TILING tcm-bytes=262144},htp-fold,cse,dce' --split-input-file | filecheck %s

// An image of 512 KiB comes strip by strip, as does the sum over it; the last op makes it the mean.

// CHECK-LABEL: func.func @mean
// CHECK:       %[[A:.*]] = htp.Relu({{.*}} -> tensor<1x[[N:[0-9]+]]x64x32xf32>
// CHECK:       %[[B:.*]] = htp.Relu(
// CHECK:       %[[FIRST:.*]] = htp.ReduceSum(%[[A]], {{.*}} -> tensor<1x1x1x32xf32>
// CHECK:       %[[SECOND:.*]] = htp.ReduceSum(%[[B]],
// CHECK:       htp.Add(%[[FIRST]], %[[SECOND]])
// CHECK:       %[[SHARE:.*]] = htp.Const dense<0.000244140625>
// CHECK:       htp.Mul(%{{.*}}, %[[SHARE]])
// CHECK-NOT:   htp.ReduceMean
func.func @mean(%x: tensor<1x64x64x32xf32>) -> tensor<1x1x1x32xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<1x64x64x32xf32>) -> tensor<1x64x64x32xf32>
  %1 = qti_aisw.ReduceMean(%0) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x64x64x32xf32>) -> tensor<1x1x1x32xf32>
  func.return %1 : tensor<1x1x1x32xf32>
}

// -----

// The largest elements of strips are as they were: the largest of these is taken, in any type.

// CHECK-LABEL: func.func @largest
// CHECK:       %[[FIRST:.*]] = htp.ReduceMax(
// CHECK:       %[[SECOND:.*]] = htp.ReduceMax(
// CHECK:       htp.Maximum(%[[FIRST]], %[[SECOND]]){{.*}} -> tensor<1x1x1x32xf16>
func.func @largest(%x: tensor<1x64x96x32xf16>) -> tensor<1x1x1x32xf16> {
  %0 = qti_aisw.Relu(%x) : (tensor<1x64x96x32xf16>) -> tensor<1x64x96x32xf16>
  %1 = qti_aisw.ReduceMax(%0) {axes = array<i64: 1, 2>, keep_dims = true} : (tensor<1x64x96x32xf16>) -> tensor<1x1x1x32xf16>
  func.return %1 : tensor<1x1x1x32xf16>
}

// -----

// A pool over all of a quantised image is a mean. Its strips are summed in f32, so that no sum of
// them is rounded.

// CHECK-LABEL: func.func @pool
// CHECK:       %[[A:.*]] = htp.Dequantize(
// CHECK:       %[[B:.*]] = htp.Dequantize(
// CHECK:       %[[FIRST:.*]] = htp.ReduceSum(%[[A]], {{.*}} -> tensor<1x1x1x32xf32>
// CHECK:       %[[SECOND:.*]] = htp.ReduceSum(%[[B]],
// CHECK:       htp.Add(%[[FIRST]], %[[SECOND]])
// CHECK:       htp.Quantize(
func.func @pool(%x: tensor<1x96x96x32x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x1x1x32x!quant.uniform<u8:f32, 0.1:128>> {
  %0 = qti_aisw.Relu(%x) : (tensor<1x96x96x32x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x96x96x32x!quant.uniform<u8:f32, 0.1:128>>
  %1 = qti_aisw.PoolAvg2d(%0) {filter_size = array<i64: 96, 96>} : (tensor<1x96x96x32x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x1x1x32x!quant.uniform<u8:f32, 0.1:128>>
  func.return %1 : tensor<1x1x1x32x!quant.uniform<u8:f32, 0.1:128>>
}
