// RUN: htp-opt %s -p 'htp-rules{tcm-bytes=16384},dce' --split-input-file | filecheck %s

// A Transpose of 32768 bytes takes more than half of a TCM of 16384: what reads a part of it turns that
// part of the input alone.

// CHECK-LABEL: func.func @sliced
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[PART:.*]] = htp.Slice_shape(%[[X]], {{.*}}!htp.shape<0x3x0x2>, !htp.shape<1x4x16x8>)
// CHECK:       htp.Transpose(%[[PART]], {{.*}} -> tensor<1x8x4x16xf32>
// CHECK-NOT:   htp.Slice_shape
func.func @sliced(%x: tensor<1x16x16x32xf32>) -> tensor<1x8x4x16xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %perm = htp.Const dense<[[[[0, 3, 1, 2]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %1 = htp.Transpose(%0, %perm) : (tensor<1x16x16x32xf32>, tensor<1x1x1x4xi32>) -> tensor<1x32x16x16xf32>
  %start = htp.Shape : !htp.shape<0x2x3x0>
  %size = htp.Shape : !htp.shape<1x8x4x16>
  %2 = htp.Slice_shape(%1, %start, %size) : (tensor<1x32x16x16xf32>, !htp.shape<0x2x3x0>, !htp.shape<1x8x4x16>) -> tensor<1x8x4x16xf32>
  %3 = htp.Reshape(%2) : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16xf32>
  func.return %3 : tensor<1x8x4x16xf32>
}

// -----

// A padding takes the rows that it reads, and the slice of these goes in front of the Transpose.

// CHECK-LABEL: func.func @padded
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[PART:.*]] = htp.Slice_shape(%[[X]], {{.*}} -> tensor<1x16x16x4xf32>
// CHECK:       %[[TURNED:.*]] = htp.Transpose(%[[PART]], {{.*}} -> tensor<1x4x16x16xf32>
// CHECK:       htp.SlicePad_shape(%[[TURNED]], {{.*}} -> tensor<1x5x16x16xf32>
func.func @padded(%x: tensor<1x16x16x32xf32>, %v: tensor<f32>) -> tensor<1x5x16x16xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %perm = htp.Const dense<[[[[0, 3, 1, 2]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %1 = htp.Transpose(%0, %perm) : (tensor<1x16x16x32xf32>, tensor<1x1x1x4xi32>) -> tensor<1x32x16x16xf32>
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x5x16x16>
  %2 = htp.SlicePad_shape(%1, %before, %start, %size, %value) : (tensor<1x32x16x16xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x5x16x16>, tensor<1x1x1x1xf32>) -> tensor<1x5x16x16xf32>
  %3 = htp.Reshape(%2) : (tensor<1x5x16x16xf32>) -> tensor<1x5x16x16xf32>
  func.return %3 : tensor<1x5x16x16xf32>
}

// -----

// Joined tiles are turned one by one; the axis of the join goes where the Transpose puts it.

// CHECK-LABEL: func.func @parts
// CHECK-DAG:   %[[AXIS:.*]] = htp.Const dense<2> : tensor<1x1x1x1xi32>
// CHECK-DAG:   %[[A:.*]] = htp.Transpose({{.*}} -> tensor<1x32x8x16xf32>
// CHECK-DAG:   %[[B:.*]] = htp.Transpose({{.*}} -> tensor<1x32x8x16xf32>
// CHECK:       htp.Concat(%[[AXIS]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<1x32x16x16xf32>
// CHECK-NOT:   htp.Transpose
func.func @parts(%a: tensor<1x8x16x32xf32>, %b: tensor<1x8x16x32xf32>) -> tensor<1x32x16x16xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  %1 = htp.Reshape(%b) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %2 = htp.Concat(%axis, %0, %1) : (tensor<1x1x1x1xi32>, tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>) -> tensor<1x16x16x32xf32>
  %perm = htp.Const dense<[[[[0, 3, 1, 2]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %3 = htp.Transpose(%2, %perm) : (tensor<1x16x16x32xf32>, tensor<1x1x1x4xi32>) -> tensor<1x32x16x16xf32>
  %4 = htp.Reshape(%3) : (tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  func.return %4 : tensor<1x32x16x16xf32>
}
