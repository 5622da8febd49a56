// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// The core convolutions pad nothing themselves; the stride is a shape 1xHxWx1, the filters are HWIO.
// `.clamp` bounds the result.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x9x9x32xf32>, %w: tensor<3x3x32x64xf32>, %b: tensor<1x1x1x64xf32>, %low: tensor<1x1x1x1xf32>, %t: tensor<2x2x32x64xf32>) {
  // CHECK: %[[S:.*]] = htp.Shape : !htp.shape<1x2x2x1>
  %s = htp.Shape : !htp.shape<1x2x2x1>
  // CHECK: htp.ConvLayer_valid(%x, %w, %[[S]], %b) : {{.*}} -> tensor<1x4x4x64xf32>
  // GENERIC: "htp.ConvLayer_valid"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}!htp.shape<1x2x2x1>
  %0 = htp.ConvLayer_valid(%x, %w, %s, %b) : (tensor<1x9x9x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>) -> tensor<1x4x4x64xf32>
  // CHECK: htp.ConvLayer_valid.clamp(%x, %w, %[[S]], %b, %low, %low) :
  %1 = htp.ConvLayer_valid.clamp(%x, %w, %s, %b, %low, %low) : (tensor<1x9x9x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x64xf32>
  // CHECK: htp.TransposeConvLayer_valid(%x, %t, %[[S]], %b) : {{.*}} -> tensor<1x18x18x64xf32>
  %2 = htp.TransposeConvLayer_valid(%x, %t, %s, %b) : (tensor<1x9x9x32xf32>, tensor<2x2x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>) -> tensor<1x18x18x64xf32>
  func.return
}

// -----

// ERROR: htp.ConvLayer_valid: operand 'bias' has extent 48 in dim 3, operand 'weights' gives 64; they must be equal
%x, %w, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x48xf32>)
%s = htp.Shape : !htp.shape<1x1x1x1>
%y = htp.ConvLayer_valid(%x, %w, %s, %b) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x48xf32>) -> tensor<1x6x6x64xf32>

// -----

// ERROR: htp.Conv2d_valid: operand 'stride' is 2x1x1x1, it must be 1xHxWx1, all >= 1
%x, %w = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>)
%s = htp.Shape : !htp.shape<2x1x1x1>
%y = htp.Conv2d_valid(%x, %w, %s) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<2x1x1x1>) -> tensor<1x6x6x64xf32>

// -----

// ERROR: htp.TransposeConvLayer_valid: stride is 1x1x1x1, windows of 3x3 must lie side by side
%x, %w, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>)
%s = htp.Shape : !htp.shape<1x1x1x1>
%y = htp.TransposeConvLayer_valid(%x, %w, %s, %b) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x64xf32>) -> tensor<1x24x24x64xf32>
