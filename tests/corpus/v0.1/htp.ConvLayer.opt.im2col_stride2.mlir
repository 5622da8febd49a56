builtin.module {
  func.func @native_0(%0: tensor<1x9x9x3xf32>, %1: !htp.shape<3x3x3x64>) {
    %r = htp.ConvLayer.opt.im2col_stride2(%0, %1) : (tensor<1x9x9x3xf32>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x64>) {
    %r = htp.ConvLayer.opt.im2col_stride2(%0, %1) : (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x64>) {
    %r = htp.ConvLayer.opt.im2col_stride2(%0, %1) {kernel = "reference"} : (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<3x3x3x32>) {
    %2 = htp.ConvLayer.opt.im2col_stride2(%0, %1) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x32>) {
    %2 = htp.ConvLayer.opt.im2col_stride2(%0, %1) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x32>) {
    %2 = htp.ConvLayer.opt.im2col_stride2(%0, %1) {kernel = "stored"} : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x9x9x3xf32>, !htp.shape<3x3x3x64>) -> ()}> ({
  ^bb0(%0: tensor<1x9x9x3xf32>, %1: !htp.shape<3x3x3x64>):
    %r = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) : (tensor<1x9x9x3xf32>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> ()}> ({
  ^bb0(%0: tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x64>):
    %r = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) : (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> ()}> ({
  ^bb0(%0: tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x64>):
    %r = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) <{kernel = "reference"}> : (tensor<1x9x9x3xf32, #htp.place<flat, ddr>>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<3x3x3x32>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<3x3x3x32>):
    %2 = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x32>):
    %2 = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<3x3x3x32>):
    %2 = "htp.ConvLayer.opt.im2col_stride2"(%0, %1) <{kernel = "stored"}> : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<3x3x3x32>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
