func.func @main(%x: tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32> {
  %0 = htp.Relu(%x) {htp.layout = "flat", htp.tile = [array<i64: 1, 8>]} : (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>
  %1 = htp.Neg(%0) {htp.layout = "crouton"} : (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>
  func.return %1 : tensor<1x8x64x32xf32>
}
