builtin.module {
  func.func @native_0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x10x32xf32>, %2: tensor<1x1x1x10xf32>) {
    %r = htp.FullyConnected(%0, %1, %2) : (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) {
    %r = htp.FullyConnected(%0, %1, %2) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x10xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) {
    %r = htp.FullyConnected(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x10xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>>) {
    %3 = htp.FullyConnected(%0, %1, %2) : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) {
    %3 = htp.FullyConnected(%0, %1, %2) : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) {
    %3 = htp.FullyConnected(%0, %1, %2) {kernel = "quantized.flat_tcm"} : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<flat, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x10x32xf32>, %2: tensor<1x1x1x10xf32>):
    %r = "htp.FullyConnected"(%0, %1, %2) : (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x10xf32, #htp.place<flat, ddr>>):
    %r = "htp.FullyConnected"(%0, %1, %2) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x10xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x10xf32, #htp.place<flat, ddr>>):
    %r = "htp.FullyConnected"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x10x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x10xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x10xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>>):
    %3 = "htp.FullyConnected"(%0, %1, %2) : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>):
    %3 = "htp.FullyConnected"(%0, %1, %2) : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, %1: tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>):
    %3 = "htp.FullyConnected"(%0, %1, %2) <{kernel = "quantized.flat_tcm"}> : (tensor<1x1x3x8x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, tensor<1x1x6x8x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x6x!quant.uniform<i32:f32, 1.000000e-03>, #htp.place<flat, ddr>>) -> tensor<1x1x3x6x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
