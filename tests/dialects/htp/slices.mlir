// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Slices by start and size, which are shapes. SlicePad_shape may lie partly outside its input: with one
// row before, it takes 10 of the 8 rows and fills two of them with the value.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>, %v: tensor<1x1x1x1xf32>) {
  // CHECK: %[[START:.*]] = htp.Shape : !htp.shape<0x4x0x0>
  %start = htp.Shape : !htp.shape<0x4x0x0>
  %size = htp.Shape : !htp.shape<1x4x8x32>
  // CHECK: htp.Slice_shape(%x, %[[START]], %{{.*}}) : {{.*}} -> tensor<1x4x8x32xf32>
  // GENERIC: "htp.Slice_shape"(%{{.*}}) : {{.*}}!htp.shape<0x4x0x0>, !htp.shape<1x4x8x32>
  %0 = htp.Slice_shape(%x, %start, %size) : (tensor<1x8x8x32xf32>, !htp.shape<0x4x0x0>, !htp.shape<1x4x8x32>) -> tensor<1x4x8x32xf32>
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %zero = htp.Shape : !htp.shape<0x0x0x0>
  %wide = htp.Shape : !htp.shape<1x10x8x32>
  // CHECK: htp.SlicePad_shape(%x, %{{.*}}, %{{.*}}, %{{.*}}, %v) : {{.*}} -> tensor<1x10x8x32xf32>
  %1 = htp.SlicePad_shape(%x, %before, %zero, %wide, %v) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x10x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Slice_shape: operand 'in' has extent 8 in dim 1, it is read from 1 to 9
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%start = htp.Shape : !htp.shape<0x1x0x0>
%size = htp.Shape : !htp.shape<1x8x8x32>
%y = htp.Slice_shape(%x, %start, %size) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32>
