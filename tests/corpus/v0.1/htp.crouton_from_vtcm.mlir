builtin.module {
  func.func @placed_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) {
    %r = htp.crouton_from_vtcm(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    func.return
  }
  func.func @allocated_1(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) {
    %r = htp.crouton_from_vtcm(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    func.return
  }
  func.func @placed_2(%0: tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>) {
    %1 = htp.crouton_from_vtcm(%0) : (tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>
    func.return
  }
  func.func @allocated_3(%0: tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>) {
    %1 = htp.crouton_from_vtcm(%0) {kernel = "copy.F16CroutonTensor"} : (tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>) {
    %1 = htp.crouton_from_vtcm(%0) : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>) {
    %1 = htp.crouton_from_vtcm(%0) {kernel = "copy.QUint8CroutonTensor"} : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "placed_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>):
    %r = "htp.crouton_from_vtcm"(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_1", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>):
    %r = "htp.crouton_from_vtcm"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_2", function_type = (tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>):
    %1 = "htp.crouton_from_vtcm"(%0) : (tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_3", function_type = (tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>) -> ()}> ({
  ^bb0(%0: tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>):
    %1 = "htp.crouton_from_vtcm"(%0) <{kernel = "copy.F16CroutonTensor"}> : (tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>):
    %1 = "htp.crouton_from_vtcm"(%0) : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>):
    %1 = "htp.crouton_from_vtcm"(%0) <{kernel = "copy.QUint8CroutonTensor"}> : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
