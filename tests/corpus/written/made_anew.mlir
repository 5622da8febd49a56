func.func @main(%x: tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32> {
  %0 = htp.Relu(%x) {htp.made_anew = array<i64: 2, 0, 33, 31, 64>, htp.tile = [array<i64: 1, 8>], htp.in_step} : (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>
  func.return %0 : tensor<1x8x64x32xf32>
}
