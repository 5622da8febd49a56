builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x32xf32>) {
    %r = htp.Prelu(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Prelu(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Prelu(%0, %1) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>) {
    %2 = htp.Prelu(%0, %1) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm>>) {
    %2 = htp.Prelu(%0, %1) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm, 2048>>) {
    %2 = htp.Prelu(%0, %1) {kernel = "quantized.flat_tcm"} : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>, #htp.place<flat, tcm, 4096>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x32xf32>):
    %r = "htp.Prelu"(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Prelu"(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Prelu"(%0, %1) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>):
    %2 = "htp.Prelu"(%0, %1) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm>>):
    %2 = "htp.Prelu"(%0, %1) : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm, 2048>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, %1: tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm, 2048>>):
    %2 = "htp.Prelu"(%0, %1) <{kernel = "quantized.flat_tcm"}> : (tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 4.000000e-02:128>, #htp.place<flat, tcm, 4096>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
