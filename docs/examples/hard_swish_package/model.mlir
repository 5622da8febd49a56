!x = tensor<1x28x28x96x!quant.uniform<u8:f32, 0.05:128>>
!y = tensor<1x28x28x96x!quant.uniform<u8:f32, 0.029:13>>

func.func @main(%x: !x {htp.name = "x"}) -> (!y {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "HardSwish", package = "HardSwishPackage", params = {}}
    : (!x) -> !y
  func.return %0 : !y
}
