builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32>) {
    %r = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32>) -> tensor<1x10x10x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x10x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.SlicePad_shape(%0, %1, %2, %3, %4) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x10x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_4(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) {kernel = "blocks.QUint8CroutonTensor_TCM"} : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>
    func.return
  }
  func.func @native_6(%0: tensor<1x1x1x3xf16>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xf16>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x4xf16>
    func.return
  }
  func.func @native_7(%0: tensor<1x1x1x3xi32>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xi32>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x4xi32>
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_9(%0: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_10(%0: tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) {kernel = "blocks.PlainFloat16Tensor"} : (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11(%0: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.SlicePad_shape(%0, %1, %2, %3, %4) {kernel = "blocks.Int32Tensor"} : (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xi32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32>):
    %r = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x8x8x32xf32>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32>) -> tensor<1x10x10x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x10x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x1x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x10x32>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x10x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x1x2x0>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x10x11x3>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) <{kernel = "blocks.QUint8CroutonTensor_TCM"}> : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x1x2x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x11x3>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x10x11x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = (tensor<1x1x1x3xf16>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xf16>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xf16>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_7", function_type = (tensor<1x1x1x3xi32>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xi32>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xi32>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_9", function_type = (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) : (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) <{kernel = "blocks.PlainFloat16Tensor"}> : (tensor<1x1x1x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x1>, %2: !htp.shape<0x0x0x0>, %3: !htp.shape<1x1x1x4>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.SlicePad_shape"(%0, %1, %2, %3, %4) <{kernel = "blocks.Int32Tensor"}> : (tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x1>, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
