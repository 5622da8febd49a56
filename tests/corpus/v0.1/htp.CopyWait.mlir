builtin.module {
  func.func @allocated_0(%0: tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) {
    %r = htp.CopyWait(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_1(%0: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>) {
    %1 = htp.CopyWait(%0) : (tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>) -> tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "allocated_0", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, tcm>>):
    %r = "htp.CopyWait"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_1", function_type = (tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>) -> ()}> ({
  ^bb0(%0: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>):
    %1 = "htp.CopyWait"(%0) : (tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>) -> tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
