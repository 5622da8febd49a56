// RUN: htp-opt %s -p 'htp-rules,dce' --split-input-file | filecheck %s

// A slice of joined tiles reads the tiles that hold it, and a padding pads them: then the tiles of one op
// are read by those of the next.

// CHECK-LABEL: func.func @part
// CHECK:       %[[B:.*]] = htp.Reshape(%b)
// CHECK:       htp.Slice_shape(%[[B]], {{.*}}!htp.shape<0x1x0x0>, !htp.shape<1x2x8x32>)
// CHECK-NOT:   htp.Concat
func.func @part(%a: tensor<1x4x8x32xf32>, %b: tensor<1x4x8x32xf32>) -> tensor<1x2x8x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %1 = htp.Reshape(%b) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %2 = htp.Concat(%axis, %0, %1) : (tensor<1x1x1x1xi32>, tensor<1x4x8x32xf32>, tensor<1x4x8x32xf32>) -> tensor<1x8x8x32xf32>
  %start = htp.Shape : !htp.shape<0x5x0x0>
  %size = htp.Shape : !htp.shape<1x2x8x32>
  %3 = htp.Slice_shape(%2, %start, %size) : (tensor<1x8x8x32xf32>, !htp.shape<0x5x0x0>, !htp.shape<1x2x8x32>) -> tensor<1x2x8x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x2x8x32xf32>) -> tensor<1x2x8x32xf32>
  func.return %4 : tensor<1x2x8x32xf32>
}

// -----

// CHECK-LABEL: func.func @padded
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK-NOT:   htp.Slice_shape
// CHECK:       htp.SlicePad_shape(%[[A]], {{.*}} -> tensor<1x3x8x32xf32>
func.func @padded(%a: tensor<1x4x8x32xf32>, %b: tensor<1x4x8x32xf32>, %v: tensor<f32>) -> tensor<1x3x8x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %1 = htp.Reshape(%b) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %2 = htp.Concat(%axis, %0, %1) : (tensor<1x1x1x1xi32>, tensor<1x4x8x32xf32>, tensor<1x4x8x32xf32>) -> tensor<1x8x8x32xf32>
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x3x8x32>
  %3 = htp.SlicePad_shape(%2, %before, %start, %size, %value) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x3x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x3x8x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x3x8x32xf32>) -> tensor<1x3x8x32xf32>
  func.return %4 : tensor<1x3x8x32xf32>
}

// -----

// A padding of columns around one of rows is one of both, as neither cuts off what the other adds.

// CHECK-LABEL: func.func @padding_of_padding
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK:       htp.SlicePad_shape(%[[A]], {{.*}}!htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x6x10x32>
// CHECK-NOT:   htp.SlicePad_shape
func.func @padding_of_padding(%a: tensor<1x4x8x32xf32>, %v: tensor<f32>) -> tensor<1x6x10x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %above = htp.Shape : !htp.shape<0x1x0x0>
  %taller = htp.Shape : !htp.shape<1x6x8x32>
  %1 = htp.SlicePad_shape(%0, %above, %start, %taller, %value) : (tensor<1x4x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x6x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x6x8x32xf32>
  %left = htp.Shape : !htp.shape<0x0x1x0>
  %wider = htp.Shape : !htp.shape<1x6x10x32>
  %2 = htp.SlicePad_shape(%1, %left, %start, %wider, %value) : (tensor<1x6x8x32xf32>, !htp.shape<0x0x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x6x10x32>, tensor<1x1x1x1xf32>) -> tensor<1x6x10x32xf32>
  %3 = htp.Reshape(%2) : (tensor<1x6x10x32xf32>) -> tensor<1x6x10x32xf32>
  func.return %3 : tensor<1x6x10x32xf32>
}

// -----

// The first three rows are padding alone: one element is read behind them, not the join of two tiles.

// CHECK-LABEL: func.func @padding_alone
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK-NOT:   htp.Concat
// CHECK:       %[[ONE:.*]] = htp.Slice_shape(%[[A]], {{.*}}!htp.shape<1x1x1x1>
// CHECK:       htp.SlicePad_shape(%[[ONE]], {{.*}}!htp.shape<0x3x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x3x8x32>
func.func @padding_alone(%a: tensor<1x4x8x32xf32>, %b: tensor<1x4x8x32xf32>, %v: tensor<f32>) -> tensor<1x3x8x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %1 = htp.Reshape(%b) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %2 = htp.Concat(%axis, %0, %1) : (tensor<1x1x1x1xi32>, tensor<1x4x8x32xf32>, tensor<1x4x8x32xf32>) -> tensor<1x8x8x32xf32>
  %before = htp.Shape : !htp.shape<0x4x0x0>
  %start = htp.Shape : !htp.shape<0x1x0x0>
  %size = htp.Shape : !htp.shape<1x3x8x32>
  %3 = htp.SlicePad_shape(%2, %before, %start, %size, %value) : (tensor<1x8x8x32xf32>, !htp.shape<0x4x0x0>, !htp.shape<0x1x0x0>, !htp.shape<1x3x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x3x8x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x3x8x32xf32>) -> tensor<1x3x8x32xf32>
  func.return %4 : tensor<1x3x8x32xf32>
}

// -----

// All of nine tiles are sliced along rows; that stays. A padding that takes some columns of the slice reads
// them through it, from the tile that holds them.

// CHECK-LABEL: func.func @padded_slice
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK-NOT:   htp.Concat
// CHECK-NOT:   htp.Slice_shape
// CHECK:       htp.SlicePad_shape(%[[A]], {{.*}} -> tensor<1x2x4x32xf32>
func.func @padded_slice(%a: tensor<1x4x4x32xf32>, %v: tensor<f32>) -> tensor<1x2x4x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %1 = htp.Concat(%axis, %0, %0, %0, %0, %0, %0, %0, %0, %0) : (tensor<1x1x1x1xi32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>) -> tensor<1x4x36x32xf32>
  %origin = htp.Shape : !htp.shape<0x0x0x0>
  %rows = htp.Shape : !htp.shape<1x2x36x32>
  %2 = htp.Slice_shape(%1, %origin, %rows) : (tensor<1x4x36x32xf32>, !htp.shape<0x0x0x0>, !htp.shape<1x2x36x32>) -> tensor<1x2x36x32xf32>
  %before = htp.Shape : !htp.shape<0x0x1x0>
  %size = htp.Shape : !htp.shape<1x2x4x32>
  %3 = htp.SlicePad_shape(%2, %before, %origin, %size, %value) : (tensor<1x2x36x32xf32>, !htp.shape<0x0x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x2x4x32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x2x4x32xf32>) -> tensor<1x2x4x32xf32>
  func.return %4 : tensor<1x2x4x32xf32>
}

// -----

// Tiles of rows and columns are joined twice. A slice of some columns reads them of each tile of rows.

// CHECK-LABEL: func.func @twice
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK:       %[[B:.*]] = htp.Reshape(%b)
// CHECK:       %[[TOP:.*]] = htp.Slice_shape(%[[A]], {{.*}} -> tensor<1x4x2x32xf32>
// CHECK:       %[[BOTTOM:.*]] = htp.Slice_shape(%[[B]], {{.*}} -> tensor<1x4x2x32xf32>
// CHECK:       htp.Concat({{.*}}, %[[TOP]], %[[BOTTOM]]) : {{.*}} -> tensor<1x8x2x32xf32>
// CHECK-NOT:   htp.Concat
func.func @twice(%a: tensor<1x4x4x32xf32>, %b: tensor<1x4x4x32xf32>, %c: tensor<1x8x4x32xf32>) -> tensor<1x8x2x32xf32> {
  %0 = htp.Reshape(%a) : (tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %1 = htp.Reshape(%b) : (tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %2 = htp.Reshape(%c) : (tensor<1x8x4x32xf32>) -> tensor<1x8x4x32xf32>
  %rows = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %columns = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %3 = htp.Concat(%rows, %0, %1) : (tensor<1x1x1x1xi32>, tensor<1x4x4x32xf32>, tensor<1x4x4x32xf32>) -> tensor<1x8x4x32xf32>
  %4 = htp.Concat(%columns, %3, %2) : (tensor<1x1x1x1xi32>, tensor<1x8x4x32xf32>, tensor<1x8x4x32xf32>) -> tensor<1x8x8x32xf32>
  %start = htp.Shape : !htp.shape<0x0x1x0>
  %size = htp.Shape : !htp.shape<1x8x2x32>
  %5 = htp.Slice_shape(%4, %start, %size) : (tensor<1x8x8x32xf32>, !htp.shape<0x0x1x0>, !htp.shape<1x8x2x32>) -> tensor<1x8x2x32xf32>
  %6 = htp.Reshape(%5) : (tensor<1x8x2x32xf32>) -> tensor<1x8x2x32xf32>
  func.return %6 : tensor<1x8x2x32xf32>
}

// -----

// A padding reads the tensor of which a slice was taken, where it pads nothing but edges of that: here the
// last row. The second slice ends a row in front of it.

// CHECK-LABEL: func.func @edge
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK:       htp.SlicePad_shape(%[[A]], {{.*}}!htp.shape<0x4x0x0>, !htp.shape<1x5x4x32>
// CHECK:       %[[INSIDE:.*]] = htp.Slice_shape(%[[A]], {{.*}} -> tensor<1x4x4x32xf32>
// CHECK:       htp.SlicePad_shape(%[[INSIDE]], {{.*}} -> tensor<1x5x4x32xf32>
func.func @edge(%a: tensor<1x8x4x32xf32>, %v: tensor<f32>) -> (tensor<1x5x4x32xf32>, tensor<1x5x4x32xf32>) {
  %0 = htp.Reshape(%a) : (tensor<1x8x4x32xf32>) -> tensor<1x8x4x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %origin = htp.Shape : !htp.shape<0x0x0x0>
  %rows = htp.Shape : !htp.shape<1x4x4x32>
  %size = htp.Shape : !htp.shape<1x5x4x32>
  %last = htp.Shape : !htp.shape<0x4x0x0>
  %1 = htp.Slice_shape(%0, %last, %rows) : (tensor<1x8x4x32xf32>, !htp.shape<0x4x0x0>, !htp.shape<1x4x4x32>) -> tensor<1x4x4x32xf32>
  %2 = htp.SlicePad_shape(%1, %origin, %origin, %size, %value) : (tensor<1x4x4x32xf32>, !htp.shape<0x0x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x5x4x32>, tensor<1x1x1x1xf32>) -> tensor<1x5x4x32xf32>
  %inside = htp.Shape : !htp.shape<0x3x0x0>
  %3 = htp.Slice_shape(%0, %inside, %rows) : (tensor<1x8x4x32xf32>, !htp.shape<0x3x0x0>, !htp.shape<1x4x4x32>) -> tensor<1x4x4x32xf32>
  %4 = htp.SlicePad_shape(%3, %origin, %origin, %size, %value) : (tensor<1x4x4x32xf32>, !htp.shape<0x0x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x5x4x32>, tensor<1x1x1x1xf32>) -> tensor<1x5x4x32xf32>
  %5 = htp.Reshape(%2) : (tensor<1x5x4x32xf32>) -> tensor<1x5x4x32xf32>
  %6 = htp.Reshape(%4) : (tensor<1x5x4x32xf32>) -> tensor<1x5x4x32xf32>
  func.return %5, %6 : tensor<1x5x4x32xf32>, tensor<1x5x4x32xf32>
}

// -----

// A layer over rows was cut into tiles of two rows of an image. Of the view of these as an image, a
// padding takes rows 1 to 3: it reads the two tiles that hold them, not all four joined.

// CHECK-LABEL: func.func @image
// CHECK-DAG:   %[[B:.*]] = htp.Relu(%b)
// CHECK-DAG:   %[[A:.*]] = htp.Relu(%a)
// CHECK:       %[[FIRST:.*]] = htp.Slice_shape(%[[A]], {{.*}}!htp.shape<0x0x4x0>, !htp.shape<1x1x4x32>
// CHECK:       %[[ROWS:.*]] = htp.Concat(%{{.*}}, %[[FIRST]], %[[B]])
// CHECK:       %[[IMAGE:.*]] = htp.Reshape(%[[ROWS]]) : (tensor<1x1x12x32xf32>) -> tensor<1x3x4x32xf32>
// CHECK:       htp.SlicePad_shape(%[[IMAGE]], %{{.*}}!htp.shape<0x0x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x3x6x32>
func.func @image(%a: tensor<1x1x8x32xf32>, %b: tensor<1x1x8x32xf32>, %c: tensor<1x1x16x32xf32>) -> tensor<1x3x6x32xf32> {
  %0 = htp.Relu(%a) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32>
  %1 = htp.Relu(%b) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32>
  %2 = htp.Relu(%c) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  %columns = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %rows = htp.Concat(%columns, %0, %1, %2) : (tensor<1x1x1x1xi32>, tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x1x32x32xf32>
  %image = htp.Reshape(%rows) : (tensor<1x1x32x32xf32>) -> tensor<1x8x4x32xf32>
  %value = htp.Const dense<0.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %before = htp.Shape : !htp.shape<0x0x1x0>
  %start = htp.Shape : !htp.shape<0x1x0x0>
  %size = htp.Shape : !htp.shape<1x3x6x32>
  %3 = htp.SlicePad_shape(%image, %before, %start, %size, %value) : (tensor<1x8x4x32xf32>, !htp.shape<0x0x1x0>, !htp.shape<0x1x0x0>, !htp.shape<1x3x6x32>, tensor<1x1x1x1xf32>) -> tensor<1x3x6x32xf32>
  %4 = htp.Reshape(%3) : (tensor<1x3x6x32xf32>) -> tensor<1x3x6x32xf32>
  func.return %4 : tensor<1x3x6x32xf32>
}
