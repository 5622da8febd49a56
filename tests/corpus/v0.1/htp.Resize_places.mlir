builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x5xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>, %5: tensor<1x1x1x1xi32>, %6: tensor<1x1x1x1xf32>) {
    %r = htp.Resize_places(%0, %1, %2, %3, %4, %5, %6) : (tensor<1x8x8x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.Resize_places(%0, %1, %2, %3, %4, %5, %6) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x16x16x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.Resize_places(%0, %1, %2, %3, %4, %5, %6) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x16x16x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x6x6x3xf16>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3xf16>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x12x12x3xf16>
    func.return
  }
  func.func @native_4(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_5(%0: tensor<1x6x6x3xf16, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3xf16, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x6x6x3xf16, #htp.place<flat, tcm, 65536>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) {kernel = "half.flat_tcm"} : (tensor<1x6x6x3xf16, #htp.place<flat, tcm, 65536>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3xf16, #htp.place<flat, tcm, 63488>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.Resize_places(%0, %1, %1, %2, %3, %3, %4) {kernel = "quantized.flat_tcm"} : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x5xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>, %5: tensor<1x1x1x1xi32>, %6: tensor<1x1x1x1xf32>):
    %r = "htp.Resize_places"(%0, %1, %2, %3, %4, %5, %6) : (tensor<1x8x8x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.Resize_places"(%0, %1, %2, %3, %4, %5, %6) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x16x16x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.Resize_places"(%0, %1, %2, %3, %4, %5, %6) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x16x16x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x6x6x3xf16>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3xf16>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x12x12x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x6x6x3xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3xf16, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x6x6x3xf16, #htp.place<flat, tcm, 65536>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16, #htp.place<flat, tcm, 65536>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) <{kernel = "half.flat_tcm"}> : (tensor<1x6x6x3xf16, #htp.place<flat, tcm, 65536>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3xf16, #htp.place<flat, tcm, 63488>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.Resize_places"(%0, %1, %1, %2, %3, %3, %4) <{kernel = "quantized.flat_tcm"}> : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 0>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
