// RUN: htp-opt %s -p htp-allocate --split-input-file | filecheck %s

// Two tiles are written into their places in the joined result, and a part of it is read where it
// lies: neither the join nor the slice takes bytes of its own.

func.func @main(%x: tensor<1x1x16x32xf32>) -> tensor<1x1x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32, #htp.place<flat, ddr>>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32, #htp.place<flat, ddr>>
  %a = htp.flat_to_vtcm(%0) : (tensor<1x1x16x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x16x32xf32, #htp.place<flat, tcm>>
  %b = htp.Relu(%a) : (tensor<1x1x16x32xf32, #htp.place<flat, tcm>>) -> tensor<1x1x16x32xf32, #htp.place<flat, tcm>>
  %c = htp.Neg(%a) : (tensor<1x1x16x32xf32, #htp.place<flat, tcm>>) -> tensor<1x1x16x32xf32, #htp.place<flat, tcm>>
  %d = htp.Concat(%axis, %b, %c) : (tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x16x32xf32, #htp.place<flat, tcm>>, tensor<1x1x16x32xf32, #htp.place<flat, tcm>>) -> tensor<1x2x16x32xf32, #htp.place<flat, tcm>>
  %start = htp.Shape : !htp.shape<0x1x0x0>
  %size = htp.Shape : !htp.shape<1x1x8x32>
  %e = htp.Slice_shape(%d, %start, %size) : (tensor<1x2x16x32xf32, #htp.place<flat, tcm>>, !htp.shape<0x1x0x0>, !htp.shape<1x1x8x32>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm>>
  %f = htp.Abs(%e) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm>>
  %g = htp.flat_from_vtcm(%f) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%g) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32>
  func.return %y : tensor<1x1x8x32xf32>
}

// CHECK: htp.Relu({{.*}} -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, [[BASE:.*]]>>
// CHECK: htp.Concat({{.*}}) {in_place} : {{.*}} -> tensor<1x2x16x32xf32, #htp.place<flat, tcm, [[BASE]]>>
// CHECK: htp.Slice_shape({{.*}}) {in_place}

// -----

// A slice may begin at any byte of its tensor: rows of 33 numbers are read where they were made.

// CHECK-LABEL: func.func @rows
// CHECK:         htp.Relu({{.*}} -> tensor<1x1x3x33xf32, #htp.place<flat, tcm, [[BASE:.*]]>>
// CHECK-COUNT-2: htp.Slice_shape({{.*}}) {in_place}
func.func @rows(%x: tensor<1x1x3x33xf32>) -> tensor<1x1x1x33xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x3x33xf32>) -> tensor<1x1x3x33xf32, #htp.place<flat, ddr>>
  %a = htp.flat_to_vtcm(%0) : (tensor<1x1x3x33xf32, #htp.place<flat, ddr>>) -> tensor<1x1x3x33xf32, #htp.place<flat, tcm>>
  %b = htp.Relu(%a) : (tensor<1x1x3x33xf32, #htp.place<flat, tcm>>) -> tensor<1x1x3x33xf32, #htp.place<flat, tcm>>
  %first = htp.Shape : !htp.shape<0x0x1x0>
  %second = htp.Shape : !htp.shape<0x0x2x0>
  %row = htp.Shape : !htp.shape<1x1x1x33>
  %c = htp.Slice_shape(%b, %first, %row) : (tensor<1x1x3x33xf32, #htp.place<flat, tcm>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x1x33>) -> tensor<1x1x1x33xf32, #htp.place<flat, tcm>>
  %d = htp.Slice_shape(%b, %second, %row) : (tensor<1x1x3x33xf32, #htp.place<flat, tcm>>, !htp.shape<0x0x2x0>, !htp.shape<1x1x1x33>) -> tensor<1x1x1x33xf32, #htp.place<flat, tcm>>
  %e = htp.Add(%c, %d) : (tensor<1x1x1x33xf32, #htp.place<flat, tcm>>, tensor<1x1x1x33xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x33xf32, #htp.place<flat, tcm>>
  %f = htp.flat_from_vtcm(%e) : (tensor<1x1x1x33xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x33xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%f) : (tensor<1x1x1x33xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x33xf32>
  func.return %y : tensor<1x1x1x33xf32>
}
