builtin.module {
  func.func @forms(%0: tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00>>, %2: tensor<2x3x!quant.uniform<u16:f32, 0.33333333333333331:7>>, %3: tensor<2x3x!quant.uniform<i16:f32, 1.000000e+00:-7>>, %4: tensor<2x3x!quant.uniform<i32:f32, 0.0039215688593685627>>, %5: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.500000e+00:5, 1.000000e-20:-3}>>, %6: tensor<2x3x!quant.uniform<i32:f32:0, {1.000000e-01, 2.500000e+00}>>, %7: tensor<2x3x!quant.uniform<i8<-127:127>:f32, 1.000000e-01>>, %8: tensor<2x3x!quant.uniform<u8<1:254>:f32:0, {5.000000e-01:1, 2.500000e-01:3}>>, %9: tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 128>>) {
    func.return
  }
  func.func @constants() -> (tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>) {
    %0 = qti_aisw.Const dense<[0, 255]> : tensor<2xui8> -> tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %1 = htp.Const dense<[[[[-128, 127]]]]> : tensor<1x1x1x2xi8> -> tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
    func.return %0, %1 : tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "forms", function_type = (tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00>>, tensor<2x3x!quant.uniform<u16:f32, 0.33333333333333331:7>>, tensor<2x3x!quant.uniform<i16:f32, 1.000000e+00:-7>>, tensor<2x3x!quant.uniform<i32:f32, 0.0039215688593685627>>, tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.500000e+00:5, 1.000000e-20:-3}>>, tensor<2x3x!quant.uniform<i32:f32:0, {1.000000e-01, 2.500000e+00}>>, tensor<2x3x!quant.uniform<i8<-127:127>:f32, 1.000000e-01>>, tensor<2x3x!quant.uniform<u8<1:254>:f32:0, {5.000000e-01:1, 2.500000e-01:3}>>, tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 128>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00>>, %2: tensor<2x3x!quant.uniform<u16:f32, 0.33333333333333331:7>>, %3: tensor<2x3x!quant.uniform<i16:f32, 1.000000e+00:-7>>, %4: tensor<2x3x!quant.uniform<i32:f32, 0.0039215688593685627>>, %5: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.500000e+00:5, 1.000000e-20:-3}>>, %6: tensor<2x3x!quant.uniform<i32:f32:0, {1.000000e-01, 2.500000e+00}>>, %7: tensor<2x3x!quant.uniform<i8<-127:127>:f32, 1.000000e-01>>, %8: tensor<2x3x!quant.uniform<u8<1:254>:f32:0, {5.000000e-01:1, 2.500000e-01:3}>>, %9: tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 128>>):
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "constants", function_type = () -> (tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>)}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[0, 255]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    %1 = "htp.Const"() <{value = dense<[[[[-128, 127]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
    "func.return"(%0, %1) : (tensor<2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> ()
  }) : () -> ()
}) : () -> ()
