// RUN: htp-opt %s -p 'htp-lower{level=native tcm-bytes=262144}' | filecheck %s
// RUN: htp-run %s -p 'htp-lower{tcm-bytes=262144}' --check | filecheck %s --check-prefix SAME

// A linear Resize goes tile by tile. Thirty-two columns of the result lie at sixteen columns of the image
// and read one more at the side of the other tile. Where they lie counts from the first column that they
// read: the second tile begins at column 32, which is at (32 * 2 - 1) / 4 in the image, 3 / 4 behind its
// column 15.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x16x32x32xf32> {htp.name = "x"}) -> (tensor<1x32x64x32xf32> {htp.name = "y"}) {
  // CHECK: htp.Const dense<{{\[+}}32, 2, -1, 4, 1{{\]+}}>
  // CHECK: htp.Slice_shape({{.*}} -> tensor<1x16x17x32xf32>
  // CHECK: htp.Resize_places({{.*}} -> tensor<1x32x32x32xf32>
  // CHECK: htp.Shape : !htp.shape<0x0x15x0>
  // CHECK: htp.Slice_shape({{.*}} -> tensor<1x16x17x32xf32>
  // CHECK: htp.Const dense<{{\[+}}32, 2, 3, 4, 1{{\]+}}>
  // CHECK: htp.Resize_places({{.*}} -> tensor<1x32x32x32xf32>
  %0 = qti_aisw.Resize(%x) {size = array<i64: 32, 64>, interpolation_mode = 1 : i64} : (tensor<1x16x32x32xf32>) -> tensor<1x32x64x32xf32>
  func.return %0 : tensor<1x32x64x32xf32>
}

// SAME: y: 1x32x64x32
