// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=EARLY-1},dce' | filecheck %s

// A slice of stride 1 is a Slice_shape, a Pad a SlicePad_shape, and a Pad of nothing goes away.
// Slices with steps stay.

// CHECK-LABEL: func.func @main
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[START:.*]] = htp.Shape : !htp.shape<0x0x2x1>
// CHECK:       %[[SIZE:.*]] = htp.Shape : !htp.shape<1x1x4x3>
// CHECK:       %[[CUT:.*]] = htp.Slice_shape(%[[X]], %[[START]], %[[SIZE]])
// CHECK:       %[[BEFORE:.*]] = htp.Shape : !htp.shape<0x0x0x2>
// CHECK:       %[[PADDED:.*]] = htp.SlicePad_shape(%[[CUT]], %[[BEFORE]], %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> tensor<1x1x4x6xf32>
// CHECK-NOT:   htp.Pad(
// CHECK:       htp.StridedSlice(%[[PADDED]], %{{.*}})
func.func @main(%x: tensor<8x4xf32>) -> tensor<2x6xf32> {
  %0 = qti_aisw.StridedSlice(%x) {ranges = array<i64: 2, 6, 1, 1, 4, 1>} : (tensor<8x4xf32>) -> tensor<4x3xf32>
  %1 = qti_aisw.Pad(%0) {pad_amount = array<i64: 0, 0, 2, 1>, pad_constant_value = 1.5 : f32} : (tensor<4x3xf32>) -> tensor<4x6xf32>
  %2 = qti_aisw.Pad(%1) {pad_amount = array<i64: 0, 0, 0, 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = qti_aisw.StridedSlice(%2) {ranges = array<i64: 0, 4, 2, 0, 6, 1>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  func.return %3 : tensor<2x6xf32>
}
