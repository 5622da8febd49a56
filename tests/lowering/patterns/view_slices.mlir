// RUN: htp-opt %s -p 'htp-rules{first=TILING},dce' | filecheck %s

// A view of 4 strips of 7 rows each. Two strips of it are 14 rows of the image. Rows that are no whole
// strips are cut out of the strips that hold them. All strips, and some columns of them, are a slice of
// the view: no rows of the image are left out.

// CHECK-LABEL: func.func @main
func.func @main(%image: tensor<1x28x4x8xf32>, %strips: tensor<4x7x4x8xf32>) -> (tensor<2x7x4x8xf32>, tensor<1x4x4x8xf32>, tensor<4x7x2x8xf32>) {
  %x = htp.Relu(%image) : (tensor<1x28x4x8xf32>) -> tensor<1x28x4x8xf32>
  %y = htp.Relu(%strips) : (tensor<4x7x4x8xf32>) -> tensor<4x7x4x8xf32>
  // CHECK: %[[VIEW:.*]] = htp.Reshape(%{{.*}}) {{.*}} -> tensor<4x7x4x8xf32>
  // CHECK-DAG: %[[TWO:.*]] = htp.Shape : !htp.shape<1x14x4x8>
  // CHECK-DAG: %[[SECOND:.*]] = htp.Shape : !htp.shape<0x14x0x0>
  // CHECK: %[[ROWS:.*]] = htp.Slice_shape(%{{.*}}, %[[SECOND]], %[[TWO]])
  // CHECK-NEXT: %[[STRIPS:.*]] = htp.Reshape(%[[ROWS]])
  // CHECK-SAME: -> tensor<2x7x4x8xf32>
  %view = htp.Reshape(%x) : (tensor<1x28x4x8xf32>) -> tensor<4x7x4x8xf32>
  %0 = htp.Shape : !htp.shape<2x0x0x0>
  %1 = htp.Shape : !htp.shape<2x7x4x8>
  %2 = htp.Slice_shape(%view, %0, %1) : (tensor<4x7x4x8xf32>, !htp.shape<2x0x0x0>, !htp.shape<2x7x4x8>) -> tensor<2x7x4x8xf32>
  // CHECK: htp.Slice_shape
  // CHECK-SAME: -> tensor<2x7x4x8xf32>
  // CHECK: htp.Reshape
  // CHECK-SAME: -> tensor<1x14x4x8xf32>
  // CHECK: htp.Slice_shape
  // CHECK-SAME: -> tensor<1x4x4x8xf32>
  %rows = htp.Reshape(%y) : (tensor<4x7x4x8xf32>) -> tensor<1x28x4x8xf32>
  %3 = htp.Shape : !htp.shape<0x12x0x0>
  %4 = htp.Shape : !htp.shape<1x4x4x8>
  %5 = htp.Slice_shape(%rows, %3, %4) : (tensor<1x28x4x8xf32>, !htp.shape<0x12x0x0>, !htp.shape<1x4x4x8>) -> tensor<1x4x4x8xf32>
  // CHECK: htp.Slice_shape(%[[VIEW]],
  // CHECK-SAME: -> tensor<4x7x2x8xf32>
  %6 = htp.Shape : !htp.shape<0x0x1x0>
  %7 = htp.Shape : !htp.shape<4x7x2x8>
  %8 = htp.Slice_shape(%view, %6, %7) : (tensor<4x7x4x8xf32>, !htp.shape<0x0x1x0>, !htp.shape<4x7x2x8>) -> tensor<4x7x2x8xf32>
  %9 = htp.Relu(%2) : (tensor<2x7x4x8xf32>) -> tensor<2x7x4x8xf32>
  %10 = htp.Relu(%5) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %11 = htp.Relu(%8) : (tensor<4x7x2x8xf32>) -> tensor<4x7x2x8xf32>
  func.return %9, %10, %11 : tensor<2x7x4x8xf32>, tensor<1x4x4x8xf32>, tensor<4x7x2x8xf32>
}
