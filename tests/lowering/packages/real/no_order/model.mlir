func.func @main(%x: tensor<1x8x8x64xf32> {htp.name = "x"})
    -> (tensor<1x8x8x64xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x)
    {op_type = "Line", package = "LinePackage", params = {factor = 3.0 : f32, offset = 0.5 : f32}}
    : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  func.return %0 : tensor<1x8x8x64xf32>
}
