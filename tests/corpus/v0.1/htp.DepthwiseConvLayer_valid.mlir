builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<3x3x1x32xf32>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32>) {
    %r = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) : (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> tensor<1x6x6x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x6x6x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x6x6x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>) {
    %4 = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) {
    %4 = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm, 2048>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) {
    %4 = htp.DepthwiseConvLayer_valid(%0, %1, %2, %3) {kernel = "quantized.crouton_tcm"} : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm, 2048>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<crouton, tcm, 4096>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<3x3x1x32xf32>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32>):
    %r = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> tensor<1x6x6x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x6x6x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<3x3x1x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x6x6x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>):
    %4 = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>):
    %4 = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm, 2048>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm, 2048>>, %2: !htp.shape<1x1x1x1>, %3: tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>):
    %4 = "htp.DepthwiseConvLayer_valid"(%0, %1, %2, %3) <{kernel = "quantized.crouton_tcm"}> : (tensor<1x6x8x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, tensor<3x3x1x4x!quant.uniform<u8:f32, 2.000000e-02:128>, #htp.place<flat, tcm, 2048>>, !htp.shape<1x1x1x1>, tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>) -> tensor<1x4x6x4x!quant.uniform<u8:f32, 1.000000e-01:128>, #htp.place<crouton, tcm, 4096>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
