// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// `in_place` says that a slice is read where it is, and that the parts of a Concat were written into
// their places. Then each is one run of bytes; rows are, a part of every row is not.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x16x8x32xf32>) {
  %start = htp.Shape : !htp.shape<0x4x0x0>
  %size = htp.Shape : !htp.shape<1x8x8x32>
  // CHECK: htp.Slice_shape(%x, %{{.*}}, %{{.*}}) {in_place} :
  // GENERIC: "htp.Slice_shape"({{.*}}) {in_place} :
  %0 = htp.Slice_shape(%x, %start, %size) {in_place} : (tensor<1x16x8x32xf32>, !htp.shape<0x4x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Slice_shape: is in place, but 1x16x4x32 at 0x0x4x0 of 1x16x8x32 is no run of its bytes
%x = "test.op"() : () -> tensor<1x16x8x32xf32, #htp.place<flat, tcm>>
%start = htp.Shape : !htp.shape<0x0x4x0>
%size = htp.Shape : !htp.shape<1x16x4x32>
%y = htp.Slice_shape(%x, %start, %size) {in_place} : (tensor<1x16x8x32xf32, #htp.place<flat, tcm>>, !htp.shape<0x0x4x0>, !htp.shape<1x16x4x32>) -> tensor<1x16x4x32xf32, #htp.place<flat, tcm>>

// -----

// In main memory the parts of a flat join may be any blocks of it.

// CHECK-LABEL: func.func @blocks
func.func @blocks(%axis: tensor<1x1x1x1xi32>, %a: tensor<1x16x4x32xf32, #htp.place<flat, ddr>>, %b: tensor<1x16x4x32xf32, #htp.place<flat, ddr>>) {
  // CHECK: htp.Concat(%axis, %a, %b) {in_place} :
  // GENERIC: "htp.Concat"({{.*}}) {in_place} :
  %0 = htp.Concat(%axis, %a, %b) {in_place} : (tensor<1x1x1x1xi32>, tensor<1x16x4x32xf32, #htp.place<flat, ddr>>, tensor<1x16x4x32xf32, #htp.place<flat, ddr>>) -> tensor<1x16x8x32xf32, #htp.place<flat, ddr>>
  func.return
}

// -----

// So may a slice, which ops that work line by line read there.

// CHECK-LABEL: func.func @block
func.func @block(%x: tensor<1x16x8x32xf32, #htp.place<flat, ddr>>) {
  %start = htp.Shape : !htp.shape<0x0x4x0>
  %size = htp.Shape : !htp.shape<1x16x4x32>
  // CHECK: htp.Slice_shape(%x, %{{.*}}, %{{.*}}) {in_place} :
  %0 = htp.Slice_shape(%x, %start, %size) {in_place} : (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x4x0>, !htp.shape<1x16x4x32>) -> tensor<1x16x4x32xf32, #htp.place<flat, ddr>>
  func.return
}

// -----

// ERROR: htp.Concat: is in place, but 1x16x4x32 at 0x0x0x0 of 1x16x8x32 is no run of its bytes
%axis = "test.op"() : () -> tensor<1x1x1x1xi32>
%a = "test.op"() : () -> tensor<1x16x4x32xf32, #htp.place<flat, tcm>>
%b = "test.op"() : () -> tensor<1x16x4x32xf32, #htp.place<flat, tcm>>
%y = htp.Concat(%axis, %a, %b) {in_place} : (tensor<1x1x1x1xi32>, tensor<1x16x4x32xf32, #htp.place<flat, tcm>>, tensor<1x16x4x32xf32, #htp.place<flat, tcm>>) -> tensor<1x16x8x32xf32, #htp.place<flat, tcm>>
