// RUN: not htp-opt %s 2>&1 | filecheck %s

// CHECK: htp.ConvLayer_valid: operand 'bias' has depth 48, the weights have 64; they must be equal
func.func @main(
  %x: tensor<1x8x8x32xf32>, %w: tensor<3x3x32x64xf32>, %b: tensor<1x1x1x48xf32>
) {
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %y = htp.ConvLayer_valid(%x, %w, %s, %b)
    : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x48xf32>)
    -> tensor<1x6x6x64xf32>
  func.return
}
