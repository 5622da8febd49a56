func.func @main(%x: tensor<3xf32> {htp.name = "x"}) -> (tensor<3x4xf32> {htp.name = "y"}, tensor<12xi1> {htp.name = "flags"}, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "q"}) {
  %0 = qti_aisw.Const dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [-0.0, 0x7F800000, 0x7FC00001, 0.1]]> : tensor<3x4xf32> -> tensor<3x4xf32>
  %1 = qti_aisw.Const dense<"0x0D0F"> : tensor<12xi1> -> tensor<12xi1>
  %2 = qti_aisw.Const dense<[[0, 1, 2], [253, 254, 255]]> : tensor<2x3xui8> -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
  func.return %0, %1, %2 : tensor<3x4xf32>, tensor<12xi1>, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
}
