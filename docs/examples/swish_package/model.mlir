// A quantised feature map through the activation, with another encoding behind it.
func.func @main(
    %x: tensor<1x56x56x96x!quant.uniform<u8:f32, 0.05:128>> {htp.name = "x"})
    -> (tensor<1x56x56x96x!quant.uniform<u8:f32, 0.025:12>> {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "Swish", package = "SwishPackage", params = {}}
    : (tensor<1x56x56x96x!quant.uniform<u8:f32, 0.05:128>>)
    -> tensor<1x56x56x96x!quant.uniform<u8:f32, 0.025:12>>
  func.return %0 : tensor<1x56x56x96x!quant.uniform<u8:f32, 0.025:12>>
}
