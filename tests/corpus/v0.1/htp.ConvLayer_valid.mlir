builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<3x3x32x64xf32>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32>) {
    %r = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>) -> tensor<1x3x3x64xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) {
    %r = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> tensor<1x3x3x64xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) {
    %r = htp.ConvLayer_valid(%0, %1, %2, %3) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> tensor<1x3x3x64xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x5x5x3xf16>, %1: tensor<3x3x3x4xf16>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16>) -> tensor<1x3x3x4xf16>
    func.return
  }
  func.func @placed_4(%0: tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>, %1: tensor<3x3x3x4xf16, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>, %1: tensor<3x3x3x4xf16, #htp.place<flat, tcm, 147456>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) {kernel = "half.crouton_tcm"} : (tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm, 147456>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>
    func.return
  }
  func.func @native_6(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    func.return
  }
  func.func @placed_7(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) {
    %4 = htp.ConvLayer_valid(%0, %1, %2, %3) {kernel = "quantized.crouton_tcm"} : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<3x3x32x64xf32>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32>):
    %r = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>) -> tensor<1x3x3x64xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32, #htp.place<flat, ddr>>):
    %r = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> tensor<1x3x3x64xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x2x2x1>, %3: tensor<1x1x1x64xf32, #htp.place<flat, ddr>>):
    %r = "htp.ConvLayer_valid"(%0, %1, %2, %3) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x32x64xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32, #htp.place<flat, ddr>>) -> tensor<1x3x3x64xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16>, %1: tensor<3x3x3x4xf16>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16>) -> tensor<1x3x3x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>, %1: tensor<3x3x3x4xf16, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16, #htp.place<flat, ddr>>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x5x5x3xf16, #htp.place<crouton, tcm>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm, 147456>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>, %1: tensor<3x3x3x4xf16, #htp.place<flat, tcm, 147456>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4xf16, #htp.place<flat, ddr>>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) <{kernel = "half.crouton_tcm"}> : (tensor<1x5x5x3xf16, #htp.place<crouton, tcm, 139264>>, tensor<3x3x3x4xf16, #htp.place<flat, tcm, 147456>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4xf16, #htp.place<flat, ddr>>) -> tensor<1x3x3x4xf16, #htp.place<crouton, tcm, 145408>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>>) -> ()}> ({
  ^bb0(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>):
    %4 = "htp.ConvLayer_valid"(%0, %1, %2, %3) <{kernel = "quantized.crouton_tcm"}> : (tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>, #htp.place<flat, tcm, 8192>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>, #htp.place<crouton, tcm, 10240>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
