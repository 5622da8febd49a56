// RUN: htp-opt %s -p 'htp-rules{last=TILING},htp-rules{first=MIDDLE},cse,dce' --split-input-file | filecheck %s

// The convolution is cut into stripes of 32 columns, each of which reads one column more of its input. The
// Relu in front makes these anew for each stripe: 33 columns of 64, twice. So nothing of the first
// stripe waits for the second. Inside the stripes the Relu goes by rows.

// CHECK-LABEL: func.func @stripes
// CHECK:       %[[UP:.*]] = htp.Relu({{.*}}) {htp.tile = [], htp.in_step} {{.*}} -> tensor<1x8x33x32xf32>
// CHECK:       %[[DOWN:.*]] = htp.Relu({{.*}}) {htp.tile = [], htp.in_step} {{.*}} -> tensor<1x8x33x32xf32>
// CHECK:       %[[LEFT:.*]] = htp.Concat(%{{.*}}, %[[UP]], %[[DOWN]])
// CHECK:       htp.Slice_shape({{.*}}!htp.shape<0x0x31x0>, !htp.shape<1x8x33x32>)
// CHECK:       %[[RIGHT:.*]] = htp.Concat({{.*}} -> tensor<1x16x33x32xf32>
// CHECK-NOT:   htp.made_anew
// CHECK:       htp.SlicePad_shape(%[[LEFT]], {{.*}} -> tensor<1x16x34x32xf32>
// CHECK:       htp.ConvLayer_valid({{.*}} -> tensor<1x16x32x8xf32>
// CHECK:       htp.SlicePad_shape(%[[RIGHT]], {{.*}} -> tensor<1x16x34x32xf32>
func.func @stripes(%x: tensor<1x16x64x32xf32>, %w: tensor<1x3x32x8xf32>, %b: tensor<1x1x1x8xf32>) -> tensor<1x16x64x8xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x64x32xf32>) -> tensor<1x16x64x32xf32>
  %1 = htp.Relu(%0) {htp.made_anew = array<i64: 2, 0, 33, 31, 64>, htp.tile = [array<i64: 1, 8>], htp.in_step} : (tensor<1x16x64x32xf32>) -> tensor<1x16x64x32xf32>
  %before = htp.Shape : !htp.shape<0x0x1x0>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x16x66x32>
  %zero = htp.Const dense<0.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %2 = htp.SlicePad_shape(%1, %before, %start, %size, %zero) : (tensor<1x16x64x32xf32>, !htp.shape<0x0x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x16x66x32>, tensor<1x1x1x1xf32>) -> tensor<1x16x66x32xf32>
  %stride = htp.Shape : !htp.shape<1x1x1x1>
  %3 = htp.ConvLayer_valid(%2, %w, %stride, %b) {htp.tile = [array<i64: 2, 32>]} : (tensor<1x16x66x32xf32>, tensor<1x3x32x8xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x8xf32>) -> tensor<1x16x64x8xf32>
  %4 = htp.Reshape(%3) : (tensor<1x16x64x8xf32>) -> tensor<1x16x64x8xf32>
  func.return %4 : tensor<1x16x64x8xf32>
}
