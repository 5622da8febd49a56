// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=16K}' 2>&1 | filecheck %s
// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=24576}' 2>&1 | filecheck %s --check-prefix FITS
// RUN: not htp-opt %s -p 'htp-lower{tcm-bytes=8}' 2>&1 | filecheck %s --check-prefix CHUNK
// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=8 allow-reference=true}' 2>&1 | filecheck %s --check-prefix ALLOWED
// RUN: not htp-opt %s -p 'htp-lower{tcm-bytes=2X}' 2>&1 | filecheck %s --check-prefix SIZE

// A tile of a transposed convolution of stride 3 has at least 6 columns. Where none fits the TCM it runs from
// main memory, with a warning that says what it needs. A TCM without room for a chunk is an error.

func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x24x24x8xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<3x3x4x8xf32> -> tensor<3x3x4x8xf32>
  %b = qti_aisw.Const dense<0.0> : tensor<8xf32> -> tensor<8xf32>
  %0 = qti_aisw.TransposeConv2d(%x, %w, bias = %b) {stride = array<i64: 3, 3>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x24x24x8xf32>
  func.return %0 : tensor<1x24x24x8xf32>
}

// CHECK:      warning: {{.*}}lower_too_large.mlir:13:3: htp.TransposeConvLayer_valid: runs from main memory: it needs 24576 bytes of TCM, there are 16384
// CHECK-NEXT:   give tcm-bytes=24576 at least, and all of them fit

// FITS-NOT:   warning
// FITS:       htp.TransposeConvLayer_valid({{.*}} -> tensor<1x24x6x8xf32, #htp.place<{{.*}}, tcm
// FITS-NOT:   warning

// CHUNK:      htp.TransposeConvLayer_valid: needs 24576 bytes of TCM, there are 8, less than the 2048 of one chunk
// CHUNK-NEXT:   give tcm-bytes=24576 at least, or allow-reference=true for main memory

// ALLOWED:    warning: {{.*}}htp.TransposeConvLayer_valid: runs from main memory

// SIZE:       pass 'htp-lower': option 'tcm-bytes' is 2X
// SIZE-NEXT:    it must be a number of bytes, such as 65536, 512K, 2M or 2MiB
