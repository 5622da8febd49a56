builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>) {
    %r = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>) {
    %r = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>) {
    %r = htp.MaxPool_valid(%0, %1, %2) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @native_4(%0: tensor<1x6x6x3xf16>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x6x6x3xf16>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16>
    func.return
  }
  func.func @placed_5(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x6x6x3xf16, #htp.place<crouton, tcm>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) : (tensor<1x6x6x3xf16, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16, #htp.place<crouton, tcm>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) {kernel = "stored.crouton_tcm"} : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 6144>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x6x6x3xf16, #htp.place<crouton, tcm, 2048>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>) {
    %3 = htp.MaxPool_valid(%0, %1, %2) {kernel = "half.crouton_tcm"} : (tensor<1x6x6x3xf16, #htp.place<crouton, tcm, 2048>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16, #htp.place<crouton, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>):
    %r = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>):
    %r = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<1x3x3x1>, %2: !htp.shape<1x2x2x1>):
    %r = "htp.MaxPool_valid"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> ()}> ({
  ^bb0(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x6x6x3xf16>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x6x6x3xf16>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> ()}> ({
  ^bb0(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x6x6x3xf16, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16, #htp.place<crouton, tcm>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) : (tensor<1x6x6x3xf16, #htp.place<crouton, tcm>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16, #htp.place<crouton, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> ()}> ({
  ^bb0(%0: tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x1x1x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) <{kernel = "stored.crouton_tcm"}> : (tensor<1x7x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 0>>, !htp.shape<1x2x3x1>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<crouton, tcm, 6144>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x6x6x3xf16, #htp.place<crouton, tcm, 2048>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16, #htp.place<crouton, tcm, 2048>>, %1: !htp.shape<1x2x3x1>, %2: !htp.shape<1x2x2x1>):
    %3 = "htp.MaxPool_valid"(%0, %1, %2) <{kernel = "half.crouton_tcm"}> : (tensor<1x6x6x3xf16, #htp.place<crouton, tcm, 2048>>, !htp.shape<1x2x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x2x3xf16, #htp.place<crouton, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
