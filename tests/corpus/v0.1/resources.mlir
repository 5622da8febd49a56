builtin.module {
  func.func @main(%x: tensor<3xf32> {htp.name = "x"}) -> (tensor<3x4xf32> {htp.name = "y"}, tensor<12xi1> {htp.name = "flags"}, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "q"}) {
    %0 = qti_aisw.Const dense<"0x0000803F0000004000004040000080400000A0400000C0400000E04000000041000000800000807F0100C07FCDCCCC3D"> : tensor<3x4xf32> -> tensor<3x4xf32>
    %1 = qti_aisw.Const dense<[true, false, true, true, false, false, false, false, true, true, true, true]> : tensor<12xi1> -> tensor<12xi1>
    %2 = qti_aisw.Const dense<[[0, 1, 2], [253, 254, 255]]> : tensor<2x3xui8> -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return %0, %1, %2 : tensor<3x4xf32>, tensor<12xi1>, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "main", function_type = (tensor<3xf32>) -> (tensor<3x4xf32>, tensor<12xi1>, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>), arg_attrs = [{htp.name = "x"}], res_attrs = [{htp.name = "y"}, {htp.name = "flags"}, {htp.name = "q"}]}> ({
  ^bb0(%x: tensor<3xf32>):
    %0 = "qti_aisw.Const"() <{value = dense<"0x0000803F0000004000004040000080400000A0400000C0400000E04000000041000000800000807F0100C07FCDCCCC3D"> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %1 = "qti_aisw.Const"() <{value = dense<[true, false, true, true, false, false, false, false, true, true, true, true]> : tensor<12xi1>}> : () -> tensor<12xi1>
    %2 = "qti_aisw.Const"() <{value = dense<[[0, 1, 2], [253, 254, 255]]> : tensor<2x3xui8>}> : () -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"(%0, %1, %2) : (tensor<3x4xf32>, tensor<12xi1>, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()
  }) : () -> ()
}) : () -> ()
