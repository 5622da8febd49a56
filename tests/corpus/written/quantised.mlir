func.func @forms(
    %0: tensor<2x3x!quant.uniform<u8:f32, 0.05:128>>,
    %1: tensor<2x3x!quant.uniform<i8:f32, 2.0>>,
    %2: tensor<2x3x!quant.uniform<u16:f32, 0.333333333333333333:7>>,
    %3: tensor<2x3x!quant.uniform<i16:f32, 1.0:-7>>,
    %4: tensor<2x3x!quant.uniform<i32:f32, 0.003921568859368563>>,
    %5: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 2.5:5, 1.0e-20:-3}>>,
    %6: tensor<2x3x!quant.uniform<i32:f32:0, {0.1, 2.5}>>,
    %7: tensor<2x3x!quant.uniform<i8<-127:127>:f32, 0.1>>,
    %8: tensor<2x3x!quant.uniform<u8<1:254>:f32:0, {0.5:1, 0.25:3}>>,
    %9: tensor<1x1x2x3x!quant.uniform<u8:f32, 0.05:128>, #htp.place<flat, tcm, 128>>) {
  func.return
}
func.func @constants() -> (tensor<2x!quant.uniform<u8:f32, 0.05:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5:-3>>) {
  %0 = qti_aisw.Const dense<[0, 255]> : tensor<2xui8> -> tensor<2x!quant.uniform<u8:f32, 0.05:128>>
  %1 = htp.Const dense<[[[[-128, 127]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5:-3>>
  func.return %0, %1 : tensor<2x!quant.uniform<u8:f32, 0.05:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 0.5:-3>>
}
