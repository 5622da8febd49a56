builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>) {
    %r = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x128xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.SpaceToDepth_shape(%0, %1, %2) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x128xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<2x4x6x33xf16>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<2x4x6x33xf16>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<2x2x3x132xf16>
    func.return
  }
  func.func @native_4(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_5(%0: tensor<2x4x6x33xf16, #htp.place<flat, tcm>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<2x4x6x33xf16, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132xf16, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_6(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_7(%0: tensor<2x4x6x33xf16, #htp.place<flat, tcm, 24576>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) {kernel = "half.flat_tcm"} : (tensor<2x4x6x33xf16, #htp.place<flat, tcm, 24576>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132xf16, #htp.place<flat, tcm, 0>>
    func.return
  }
  func.func @allocated_8(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.SpaceToDepth_shape(%0, %1, %2) {kernel = "quantized.flat_tcm"} : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 6144>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>):
    %r = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x128xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.SpaceToDepth_shape"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x128xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<2x4x6x33xf16>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33xf16>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<2x4x6x33xf16>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<2x2x3x132xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<2x4x6x33xf16, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33xf16, #htp.place<flat, tcm>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<2x4x6x33xf16, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132xf16, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<2x4x6x33xf16, #htp.place<flat, tcm, 24576>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33xf16, #htp.place<flat, tcm, 24576>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) <{kernel = "half.flat_tcm"}> : (tensor<2x4x6x33xf16, #htp.place<flat, tcm, 24576>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132xf16, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, %1: !htp.shape<1x2x2x1>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.SpaceToDepth_shape"(%0, %1, %2) <{kernel = "quantized.flat_tcm"}> : (tensor<2x4x6x33x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 4096>>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<2x2x3x132x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 6144>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
