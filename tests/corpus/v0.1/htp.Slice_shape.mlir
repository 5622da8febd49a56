builtin.module {
  func.func @native_0(%0: tensor<1x16x8x32xf32>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>) {
    %r = htp.Slice_shape(%0, %1, %2) : (tensor<1x16x8x32xf32>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>) {
    %r = htp.Slice_shape(%0, %1, %2) : (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>) {
    %r = htp.Slice_shape(%0, %1, %2) {kernel = "reference"} : (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x4x3xf16>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) : (tensor<1x1x4x3xf16>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x4x3xi32>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) : (tensor<1x1x4x3xi32>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32>
    func.return
  }
  func.func @native_5(%0: tensor<1x1x4x3xi1>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) : (tensor<1x1x4x3xi1>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1>
    func.return
  }
  func.func @native_6(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_7(%0: tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x0>, %2: !htp.shape<1x1x6x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> tensor<1x1x6x3xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_9(%0: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_10(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_11(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_12(%0: tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x0>, %2: !htp.shape<1x1x6x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> tensor<1x1x6x3xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_13(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_14(%0: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_15(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_16(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>) {
    %3 = htp.Slice_shape(%0, %1, %2) {in_place} : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x16x8x32xf32>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> ()}> ({
  ^bb0(%0: tensor<1x16x8x32xf32>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>):
    %r = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x16x8x32xf32>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> ()}> ({
  ^bb0(%0: tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>):
    %r = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> ()}> ({
  ^bb0(%0: tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x8x0x0>, %2: !htp.shape<1x8x8x32>):
    %r = "htp.Slice_shape"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x16x8x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x4x3xf16>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x1x4x3xf16>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x4x3xi32>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi32>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x1x4x3xi32>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<1x1x4x3xi1>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x1x4x3xi1>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> ()}> ({
  ^bb0(%0: tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x0>, %2: !htp.shape<1x1x6x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> tensor<1x1x6x3xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_9", function_type = (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_10", function_type = (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_11", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_12", function_type = (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> ()}> ({
  ^bb0(%0: tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x0x0>, %2: !htp.shape<1x1x6x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x4x6x3xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x0x0>, !htp.shape<1x1x6x3>) -> tensor<1x1x6x3xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_13", function_type = (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_14", function_type = (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi32, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_15", function_type = (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_16", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: !htp.shape<0x0x1x0>, %2: !htp.shape<1x1x3x3>):
    %3 = "htp.Slice_shape"(%0, %1, %2) {in_place} : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, !htp.shape<0x0x1x0>, !htp.shape<1x1x3x3>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
