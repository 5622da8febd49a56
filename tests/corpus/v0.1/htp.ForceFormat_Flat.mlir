builtin.module {
  func.func @placed_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) {
    %r = htp.ForceFormat_Flat(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_1(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) {
    %r = htp.ForceFormat_Flat(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_2(%0: tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) {
    %1 = htp.ForceFormat_Flat(%0) : (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_3(%0: tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) {
    %1 = htp.ForceFormat_Flat(%0) {kernel = "convert.F16CroutonTensor"} : (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) {
    %1 = htp.ForceFormat_Flat(%0) : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) {
    %1 = htp.ForceFormat_Flat(%0) {kernel = "convert.QUint8CroutonTensor"} : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "placed_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>):
    %r = "htp.ForceFormat_Flat"(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_1", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>):
    %r = "htp.ForceFormat_Flat"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_2", function_type = (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>):
    %1 = "htp.ForceFormat_Flat"(%0) : (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_3", function_type = (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>):
    %1 = "htp.ForceFormat_Flat"(%0) <{kernel = "convert.F16CroutonTensor"}> : (tensor<1x3x3x4xf16, #htp.place<crouton, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>):
    %1 = "htp.ForceFormat_Flat"(%0) : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>):
    %1 = "htp.ForceFormat_Flat"(%0) <{kernel = "convert.QUint8CroutonTensor"}> : (tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
