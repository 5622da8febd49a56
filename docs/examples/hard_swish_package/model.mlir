func.func @main(%x: tensor<1x28x28x96xf32> {htp.name = "x"})
    -> (tensor<1x28x28x96xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "HardSwish", package = "HardSwishPackage", params = {}}
    : (tensor<1x28x28x96xf32>) -> tensor<1x28x28x96xf32>
  func.return %0 : tensor<1x28x28x96xf32>
}
