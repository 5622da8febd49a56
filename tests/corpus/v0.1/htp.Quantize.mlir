builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>) {
    %r = htp.Quantize(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Quantize(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Quantize(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x2x3xf32>) {
    %1 = htp.Quantize(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x2x3xf32>) {
    %1 = htp.Quantize(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
  func.func @placed_5(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) {
    %1 = htp.Quantize(%0) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) {
    %1 = htp.Quantize(%0) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) {
    %1 = htp.Quantize(%0) {kernel = "quantized"} : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) {
    %1 = htp.Quantize(%0) {kernel = "quantized"} : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>):
    %r = "htp.Quantize"(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Quantize"(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Quantize"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32>):
    %1 = "htp.Quantize"(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x2x3xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32>):
    %1 = "htp.Quantize"(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>):
    %1 = "htp.Quantize"(%0) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>):
    %1 = "htp.Quantize"(%0) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>):
    %1 = "htp.Quantize"(%0) <{kernel = "quantized"}> : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf32, #htp.place<flat, ddr>>):
    %1 = "htp.Quantize"(%0) <{kernel = "quantized"}> : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
