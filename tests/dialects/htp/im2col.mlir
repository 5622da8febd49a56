// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A convolution of stride 2 as a pointwise one: its windows laid along the depth, its weights likewise.
// 3 * 3 * 3 elements are rounded up to 32.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x9x9x3xf32>, %w: tensor<3x3x3x64xf32>) {
  // CHECK: %[[DIMS:.*]] = htp.Shape : !htp.shape<3x3x3x64>
  %dims = htp.Shape : !htp.shape<3x3x3x64>
  // CHECK: htp.ConvLayer.opt.im2col_stride2(%x, %[[DIMS]]) : {{.*}} -> tensor<1x4x4x32xf32>
  // GENERIC: "htp.ConvLayer.opt.im2col_stride2"(%{{.*}}, %{{.*}}) :
  %0 = htp.ConvLayer.opt.im2col_stride2(%x, %dims) : (tensor<1x9x9x3xf32>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32>
  // CHECK: htp.ConvLayer.opt.weights_for_im2col(%w) : {{.*}} -> tensor<1x1x32x64xf32>
  %1 = htp.ConvLayer.opt.weights_for_im2col(%w) : (tensor<3x3x3x64xf32>) -> tensor<1x1x32x64xf32>
  func.return
}

// -----

// ERROR: htp.ConvLayer.opt.im2col_stride2: the weights 3x3x3x64 have depth 3, the activations 32; they must be equal
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%dims = htp.Shape : !htp.shape<3x3x3x64>
%y = htp.ConvLayer.opt.im2col_stride2(%x, %dims) : (tensor<1x8x8x32xf32>, !htp.shape<3x3x3x64>) -> tensor<1x3x3x32xf32>
