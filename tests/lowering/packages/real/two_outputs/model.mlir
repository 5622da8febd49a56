func.func @main(%x: tensor<1x8x8x64xf32> {htp.name = "x"})
    -> (tensor<1x8x8x64xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Sigmoid(%x) : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  %1 = qti_aisw.ElementWiseMultiply(%x, %0)
    : (tensor<1x8x8x64xf32>, tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  func.return %1 : tensor<1x8x8x64xf32>
}
