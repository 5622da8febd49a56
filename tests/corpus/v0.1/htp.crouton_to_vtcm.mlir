builtin.module {
  func.func @placed_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) {
    %r = htp.crouton_to_vtcm(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_1(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) {
    %r = htp.crouton_to_vtcm(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @placed_2(%0: tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) {
    %1 = htp.crouton_to_vtcm(%0) : (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_3(%0: tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) {
    %1 = htp.crouton_to_vtcm(%0) {kernel = "copy.F16CroutonTensor"} : (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) {
    %1 = htp.crouton_to_vtcm(%0) : (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) {
    %1 = htp.crouton_to_vtcm(%0) {kernel = "copy.QUint8CroutonTensor"} : (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 14336>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "placed_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>):
    %r = "htp.crouton_to_vtcm"(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_1", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>):
    %r = "htp.crouton_to_vtcm"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_2", function_type = (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>):
    %1 = "htp.crouton_to_vtcm"(%0) : (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_3", function_type = (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>):
    %1 = "htp.crouton_to_vtcm"(%0) <{kernel = "copy.F16CroutonTensor"}> : (tensor<1x5x5x3xf16, #htp.place<crouton, ddr>>) -> tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>):
    %1 = "htp.crouton_to_vtcm"(%0) : (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>):
    %1 = "htp.crouton_to_vtcm"(%0) <{kernel = "copy.QUint8CroutonTensor"}> : (tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, ddr>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 14336>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
