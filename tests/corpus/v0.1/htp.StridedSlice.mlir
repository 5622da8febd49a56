builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x4x3xi32>) {
    %r = htp.StridedSlice(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x4x3xi32>) -> tensor<1x4x4x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %r = htp.StridedSlice(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %r = htp.StridedSlice(%0, %1) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x4x6xf16>, %1: tensor<1x1x4x3xi32>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6xf16>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3xf16>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x4x6xi1>, %1: tensor<1x1x4x3xi32>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6xi1>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3xi1>
    func.return
  }
  func.func @native_5(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x4x3xi32>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_7(%0: tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_9(%0: tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) {kernel = "strided_slice"} : (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_10(%0: tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) {kernel = "reference"} : (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) {
    %2 = htp.StridedSlice(%0, %1) {kernel = "strided_slice"} : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<1x1x4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x4x3xi32>):
    %r = "htp.StridedSlice"(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x4x3xi32>) -> tensor<1x4x4x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %r = "htp.StridedSlice"(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %r = "htp.StridedSlice"(%0, %1) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x4x4x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x4x6xf16>, tensor<1x1x4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xf16>, %1: tensor<1x1x4x3xi32>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6xf16>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x4x6xi1>, tensor<1x1x4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xi1>, %1: tensor<1x1x4x3xi32>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6xi1>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x4x3xi32>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x4x3xi32>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_9", function_type = (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) <{kernel = "strided_slice"}> : (tensor<1x1x4x6xf16, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) <{kernel = "reference"}> : (tensor<1x1x4x6xi1, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x4x3xi32, #htp.place<flat, ddr>>):
    %2 = "htp.StridedSlice"(%0, %1) <{kernel = "strided_slice"}> : (tensor<1x1x4x6x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
