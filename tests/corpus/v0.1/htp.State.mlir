builtin.module {
  htp.State @native : tensor<1x1x2x4xf32>
  htp.State @placed : tensor<1x1x2x4xf32, #htp.place<flat, ddr>>
  htp.State @allocated : tensor<1x1x2x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
  htp.State @flag : tensor<1x1x1x1xi1>
  func.func private @native_0() -> ()
  func.func private @placed_1() -> ()
  func.func private @allocated_2() -> ()
}
// -----
"builtin.module"() ({
  "htp.State"() <{sym_name = "native", type = tensor<1x1x2x4xf32>}> : () -> ()
  "htp.State"() <{sym_name = "placed", type = tensor<1x1x2x4xf32, #htp.place<flat, ddr>>}> : () -> ()
  "htp.State"() <{sym_name = "allocated", type = tensor<1x1x2x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>}> : () -> ()
  "htp.State"() <{sym_name = "flag", type = tensor<1x1x1x1xi1>}> : () -> ()
  "func.func"() <{sym_name = "native_0", function_type = () -> (), sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = () -> (), sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = () -> (), sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()
