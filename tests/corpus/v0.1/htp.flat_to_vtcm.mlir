builtin.module {
  func.func @placed_0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.flat_to_vtcm(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.flat_to_vtcm(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_2(%0: tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_3(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) {kernel = "copy.PlainFloat16Tensor"} : (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>
    func.return
  }
  func.func @allocated_6(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) {kernel = "copy.QuantUint8Tensor"} : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) {
    %1 = htp.flat_to_vtcm(%0) {kernel = "copy.Int32Tensor"} : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, tcm, 4096>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "placed_0", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.flat_to_vtcm"(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.flat_to_vtcm"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_2", function_type = (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5xf16, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) : (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_3", function_type = (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5xf16, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) <{kernel = "copy.PlainFloat16Tensor"}> : (tensor<1x1x2x5xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_6", function_type = (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) <{kernel = "copy.QuantUint8Tensor"}> : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>):
    %1 = "htp.flat_to_vtcm"(%0) <{kernel = "copy.Int32Tensor"}> : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, tcm, 4096>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
