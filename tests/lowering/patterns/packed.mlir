// RUN: htp-opt %s -p 'htp-rules{last=TILING-1 tcm-bytes=8192},dce' --split-input-file | filecheck %s

// Queries, keys and values come from one layer, and a Transpose puts the three in front. The second
// of them is a part of the depth; as the layer is large, that part has a layer of its own.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x16x4x8xf32>) -> (tensor<1x16x4x16xf32>, tensor<1x16x4x16xf32>) {
  %w = htp.Const dense<0.5> : tensor<1x1x32x8xf32> -> tensor<1x1x32x8xf32>
  %b = htp.Const dense<0.0> : tensor<1x1x1x32xf32> -> tensor<1x1x1x32xf32>
  %perm = htp.Const dense<[[[[2, 0, 1, 3]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %0 = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %1 = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK-NOT: htp.Transpose
  // CHECK-DAG: %[[FIRST:.*]] = htp.Slice_shape(%w, %{{.*}}, %{{.*}}) : (tensor<1x1x32x8xf32>, !htp.shape<0x0x0x0>, !htp.shape<1x1x16x8>)
  // CHECK-DAG: %[[SECOND:.*]] = htp.Slice_shape(%w, %{{.*}}, %{{.*}}) : (tensor<1x1x32x8xf32>, !htp.shape<0x0x16x0>, !htp.shape<1x1x16x8>)
  // CHECK-DAG: htp.FullyConnected(%x, %[[FIRST]], %{{.*}})
  // CHECK-DAG: htp.FullyConnected(%x, %[[SECOND]], %{{.*}})
  %packed = htp.FullyConnected(%x, %w, %b) : (tensor<1x16x4x8xf32>, tensor<1x1x32x8xf32>, tensor<1x1x1x32xf32>) -> tensor<1x16x4x32xf32>
  %apart = htp.Reshape(%packed) : (tensor<1x16x4x32xf32>) -> tensor<16x4x2x16xf32>
  %turned = htp.Transpose(%apart, %perm) : (tensor<16x4x2x16xf32>, tensor<1x1x1x4xi32>) -> tensor<2x16x4x16xf32>
  %first = htp.Gather(%turned, %0, %0) : (tensor<2x16x4x16xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x16x4x16xf32>
  %second = htp.Gather(%turned, %1, %0) : (tensor<2x16x4x16xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x16x4x16xf32>
  %y = htp.Relu(%first) : (tensor<1x16x4x16xf32>) -> tensor<1x16x4x16xf32>
  %z = htp.Relu(%second) : (tensor<1x16x4x16xf32>) -> tensor<1x16x4x16xf32>
  func.return %y, %z : tensor<1x16x4x16xf32>, tensor<1x16x4x16xf32>
}

// -----

// Two parts of the depth, of two heads each. A slice of the view of both is a slice of the depth;
// that of one head of each is none.

// CHECK-LABEL: func.func @heads
// CHECK:       htp.Slice_shape(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<1x6x5x16xf32>, !htp.shape<0x0x0x8>, !htp.shape<1x6x5x8>)
// CHECK-NEXT:  htp.Reshape(%{{.*}}) : (tensor<1x6x5x8xf32>) -> tensor<30x1x2x4xf32>
// CHECK:       htp.Slice_shape(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<30x2x2x4xf32>, !htp.shape<0x0x1x0>, !htp.shape<30x2x1x4>)
func.func @heads(%x: tensor<1x6x5x16xf32>) -> (tensor<30x1x2x4xf32>, tensor<30x2x1x4xf32>) {
  %0 = htp.Relu(%x) : (tensor<1x6x5x16xf32>) -> tensor<1x6x5x16xf32>
  %split = htp.Reshape(%0) : (tensor<1x6x5x16xf32>) -> tensor<30x2x2x4xf32>
  %s = htp.Shape : !htp.shape<0x1x0x0>
  %n = htp.Shape : !htp.shape<30x1x2x4>
  %part = htp.Slice_shape(%split, %s, %n) : (tensor<30x2x2x4xf32>, !htp.shape<0x1x0x0>, !htp.shape<30x1x2x4>) -> tensor<30x1x2x4xf32>
  %t = htp.Shape : !htp.shape<0x0x1x0>
  %m = htp.Shape : !htp.shape<30x2x1x4>
  %head = htp.Slice_shape(%split, %t, %m) : (tensor<30x2x2x4xf32>, !htp.shape<0x0x1x0>, !htp.shape<30x2x1x4>) -> tensor<30x2x1x4xf32>
  %y = htp.Relu(%part) : (tensor<30x1x2x4xf32>) -> tensor<30x1x2x4xf32>
  %z = htp.Relu(%head) : (tensor<30x2x1x4xf32>) -> tensor<30x2x1x4xf32>
  func.return %y, %z : tensor<30x1x2x4xf32>, tensor<30x2x1x4xf32>
}

// -----

// Keys and values are put in front, and their heads come to the batch. Each of the two is read alone:
// so it is a part of the view, of the Transpose before it, and at last of the depth of the layer.

// CHECK-LABEL: func.func @in_front
// CHECK-DAG:   %[[FIRST:.*]] = htp.FullyConnected({{.*}}) -> tensor<1x16x4x16xf32>
// CHECK-DAG:   %[[SECOND:.*]] = htp.FullyConnected({{.*}}) -> tensor<1x16x4x16xf32>
// CHECK-NOT:   tensor<1x16x4x32xf32>
// CHECK:       htp.Transpose({{.*}}) : (tensor<16x4x1x16xf32>, tensor<1x1x1x4xi32>) -> tensor<1x16x16x4xf32>
// CHECK:       htp.Reshape({{.*}}) : (tensor<1x16x16x4xf32>) -> tensor<16x2x8x4xf32>
func.func @in_front(%x: tensor<1x16x4x8xf32>) -> (tensor<16x2x8x4xf32>, tensor<16x2x8x4xf32>) {
  %w = htp.Const dense<0.5> : tensor<1x1x32x8xf32> -> tensor<1x1x32x8xf32>
  %b = htp.Const dense<0.0> : tensor<1x1x1x32xf32> -> tensor<1x1x1x32xf32>
  %perm = htp.Const dense<[[[[2, 0, 3, 1]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %packed = htp.FullyConnected(%x, %w, %b) : (tensor<1x16x4x8xf32>, tensor<1x1x32x8xf32>, tensor<1x1x1x32xf32>) -> tensor<1x16x4x32xf32>
  %apart = htp.Reshape(%packed) : (tensor<1x16x4x32xf32>) -> tensor<16x4x2x16xf32>
  %turned = htp.Transpose(%apart, %perm) : (tensor<16x4x2x16xf32>, tensor<1x1x1x4xi32>) -> tensor<2x16x16x4xf32>
  %heads = htp.Reshape(%turned) : (tensor<2x16x16x4xf32>) -> tensor<32x2x8x4xf32>
  %s = htp.Shape : !htp.shape<0x0x0x0>
  %t = htp.Shape : !htp.shape<16x0x0x0>
  %n = htp.Shape : !htp.shape<16x2x8x4>
  %keys = htp.Slice_shape(%heads, %s, %n) : (tensor<32x2x8x4xf32>, !htp.shape<0x0x0x0>, !htp.shape<16x2x8x4>) -> tensor<16x2x8x4xf32>
  %values = htp.Slice_shape(%heads, %t, %n) : (tensor<32x2x8x4xf32>, !htp.shape<16x0x0x0>, !htp.shape<16x2x8x4>) -> tensor<16x2x8x4xf32>
  %y = htp.Relu(%keys) : (tensor<16x2x8x4xf32>) -> tensor<16x2x8x4xf32>
  %z = htp.Relu(%values) : (tensor<16x2x8x4xf32>) -> tensor<16x2x8x4xf32>
  func.return %y, %z : tensor<16x2x8x4xf32>, tensor<16x2x8x4xf32>
}

// -----

// PyTorch's attention takes a dim away between the Transpose and the part. It is a part of the depth
// all the same.

// CHECK-LABEL: func.func @squeezed
// CHECK-NOT:   htp.Transpose
// CHECK:       htp.Slice_shape(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<1x6x5x8xf32>, !htp.shape<0x0x0x4>, !htp.shape<1x6x5x4>)
// CHECK-NEXT:  htp.Reshape(%{{.*}}) : (tensor<1x6x5x4xf32>) -> tensor<1x30x1x4xf32>
func.func @squeezed(%x: tensor<1x6x5x8xf32>) -> tensor<1x30x1x4xf32> {
  %perm = htp.Const dense<[[[[2, 0, 1, 3]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %0 = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %1 = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %packed = htp.Relu(%x) : (tensor<1x6x5x8xf32>) -> tensor<1x6x5x8xf32>
  %apart = htp.Reshape(%packed) : (tensor<1x6x5x8xf32>) -> tensor<6x5x2x4xf32>
  %turned = htp.Transpose(%apart, %perm) : (tensor<6x5x2x4xf32>, tensor<1x1x1x4xi32>) -> tensor<2x6x5x4xf32>
  %front = htp.Reshape(%turned) : (tensor<2x6x5x4xf32>) -> tensor<2x30x1x4xf32>
  %second = htp.Gather(%front, %1, %0) : (tensor<2x30x1x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x30x1x4xf32>
  %y = htp.Relu(%second) : (tensor<1x30x1x4xf32>) -> tensor<1x30x1x4xf32>
  func.return %y : tensor<1x30x1x4xf32>
}
