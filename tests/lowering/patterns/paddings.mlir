// RUN: htp-opt %s -p 'htp-rules,dce' | filecheck %s

// A SlicePad_shape that pads nothing is a slice: it starts at row 3 less the one before.

// CHECK: htp.Slice_shape({{.*}}!htp.shape<0x2x0x0>, !htp.shape<1x4x8x32>)
// CHECK-NOT: htp.SlicePad_shape
func.func @nothing(%x: tensor<1x8x8x32xf32>, %v: tensor<f32>) -> tensor<1x4x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %value = htp.Reshape(%v) : (tensor<f32>) -> tensor<1x1x1x1xf32>
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %start = htp.Shape : !htp.shape<0x3x0x0>
  %size = htp.Shape : !htp.shape<1x4x8x32>
  %1 = htp.SlicePad_shape(%0, %before, %start, %size, %value) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x3x0x0>, !htp.shape<1x4x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  func.return %2 : tensor<1x4x8x32xf32>
}
