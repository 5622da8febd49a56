builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x2xi32>) {
    %r = htp.ReduceSum(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) {
    %r = htp.ReduceSum(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> tensor<1x1x1x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) {
    %r = htp.ReduceSum(%0, %1) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> tensor<1x1x1x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>, %1: tensor<1x1x1x1xi32>) {
    %2 = htp.ReduceSum(%0, %1) : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %2 = htp.ReduceSum(%0, %1) : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %2 = htp.ReduceSum(%0, %1) {kernel = "quantized.flat_ddr"} : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x2xi32>):
    %r = "htp.ReduceSum"(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>):
    %r = "htp.ReduceSum"(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> tensor<1x1x1x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>):
    %r = "htp.ReduceSum"(%0, %1) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> tensor<1x1x1x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>, %1: tensor<1x1x1x1xi32>):
    %2 = "htp.ReduceSum"(%0, %1) : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %2 = "htp.ReduceSum"(%0, %1) : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %2 = "htp.ReduceSum"(%0, %1) <{kernel = "quantized.flat_ddr"}> : (tensor<1x1x3x4x!quant.uniform<u8:f32, 1.000000e-02:10>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x1x!quant.uniform<u8:f32, 2.000000e-02:50>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
