// RUN: htp-opt %s -p htp-in-place | filecheck %s

// Rows of a tensor in main memory are runs of its bytes: they are read where they lie, and two
// results that are joined by rows are written into their places.

func.func @main(%x: tensor<1x16x2x32xf32>) -> tensor<1x16x2x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x2x32xf32>) -> tensor<1x16x2x32xf32, #htp.place<flat, ddr>>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
  %top = htp.Shape : !htp.shape<0x0x0x0>
  %low = htp.Shape : !htp.shape<0x9x0x0>
  %n = htp.Shape : !htp.shape<1x9x2x32>
  %m = htp.Shape : !htp.shape<1x7x2x32>
  %a = htp.Slice_shape(%0, %top, %n) : (tensor<1x16x2x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x9x2x32>) -> tensor<1x9x2x32xf32, #htp.place<flat, ddr>>
  %b = htp.Slice_shape(%0, %low, %m) : (tensor<1x16x2x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x9x0x0>, !htp.shape<1x7x2x32>) -> tensor<1x7x2x32xf32, #htp.place<flat, ddr>>
  %c = htp.flat_to_vtcm(%a) : (tensor<1x9x2x32xf32, #htp.place<flat, ddr>>) -> tensor<1x9x2x32xf32, #htp.place<flat, tcm>>
  %d = htp.Relu(%c) : (tensor<1x9x2x32xf32, #htp.place<flat, tcm>>) -> tensor<1x9x2x32xf32, #htp.place<flat, tcm>>
  %e = htp.flat_from_vtcm(%d) : (tensor<1x9x2x32xf32, #htp.place<flat, tcm>>) -> tensor<1x9x2x32xf32, #htp.place<flat, ddr>>
  %r = htp.Concat(%axis, %e, %b) : (tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x9x2x32xf32, #htp.place<flat, ddr>>, tensor<1x7x2x32xf32, #htp.place<flat, ddr>>) -> tensor<1x16x2x32xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%r) : (tensor<1x16x2x32xf32, #htp.place<flat, ddr>>) -> tensor<1x16x2x32xf32>
  func.return %y : tensor<1x16x2x32xf32>
}

// CHECK:      %[[A:.*]] = htp.Slice_shape({{.*}}) {in_place}
// The second slice is copied into its place in the result.
// CHECK-NEXT: %[[B:.*]] = htp.Slice_shape(
// CHECK-NOT:  {in_place}
// CHECK:      %[[IN:.*]] = htp.flat_to_vtcm(%[[A]])
// CHECK:      %[[E:.*]] = htp.flat_from_vtcm(
// CHECK-NEXT: htp.Concat(%axis, %[[E]], %[[B]]) {in_place}
