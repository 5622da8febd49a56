builtin.module {
  func.func @native_0(%0: tensor<8x32xf32>) {
    %r = htp.Reshape(%0) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Reshape(%0) : (tensor<8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.Reshape(%0) {kernel = "reference"} : (tensor<8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<2x5xf16>) {
    %1 = htp.Reshape(%0) : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16>
    func.return
  }
  func.func @native_4(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = htp.Reshape(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @native_5(%0: tensor<3x4xi32>) {
    %1 = htp.Reshape(%0) : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32>
    func.return
  }
  func.func @placed_6(%0: tensor<2x5xf16>) {
    %1 = htp.Reshape(%0) : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_7(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = htp.Reshape(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_8(%0: tensor<3x4xi32>) {
    %1 = htp.Reshape(%0) : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_9(%0: tensor<f32>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<f32>) -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_10(%0: tensor<2x5xf16>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_12(%0: tensor<3x4xi32>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_13(%0: tensor<i1>) {
    %1 = htp.Reshape(%0) : (tensor<i1>) -> tensor<1x1x1x1xi1>
    func.return
  }
  func.func @placed_14(%0: tensor<i1>) {
    %1 = htp.Reshape(%0) : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_15(%0: tensor<i1>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_16(%0: tensor<3x4xui16>) {
    %1 = htp.Reshape(%0) : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16>
    func.return
  }
  func.func @placed_17(%0: tensor<3x4xui16>) {
    %1 = htp.Reshape(%0) : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_18(%0: tensor<3x4xui16>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_19(%0: tensor<6x4xui8>) {
    %1 = htp.Reshape(%0) : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8>
    func.return
  }
  func.func @placed_20(%0: tensor<6x4xui8>) {
    %1 = htp.Reshape(%0) : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_21(%0: tensor<6x4xui8>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_22(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) {
    %1 = htp.Reshape(%0) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>
    func.return
  }
  func.func @placed_23(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) {
    %1 = htp.Reshape(%0) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_24(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_25(%0: tensor<2x3xi64>) {
    %1 = htp.Reshape(%0) : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64>
    func.return
  }
  func.func @placed_26(%0: tensor<2x3xi64>) {
    %1 = htp.Reshape(%0) : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_27(%0: tensor<2x3xi64>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_28(%0: tensor<2x3xi8>) {
    %1 = htp.Reshape(%0) : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8>
    func.return
  }
  func.func @placed_29(%0: tensor<2x3xi8>) {
    %1 = htp.Reshape(%0) : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_30(%0: tensor<2x3xi8>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_31(%0: tensor<1x1x2x3xi16>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3xi16>) -> tensor<2x3xi16>
    func.return
  }
  func.func @native_32(%0: tensor<1x1x2x3xui32>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3xui32>) -> tensor<2x3xui32>
    func.return
  }
  func.func @placed_33(%0: tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> tensor<2x3xi16>
    func.return
  }
  func.func @placed_34(%0: tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> tensor<2x3xui32>
    func.return
  }
  func.func @allocated_35(%0: tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> tensor<2x3xi16>
    func.return
  }
  func.func @allocated_36(%0: tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> tensor<2x3xui32>
    func.return
  }
  func.func @native_37(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
  func.func @placed_38(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
  func.func @allocated_39(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) {
    %1 = htp.Reshape(%0) {in_place} : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<8x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<8x32xf32>):
    %r = "htp.Reshape"(%0) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Reshape"(%0) : (tensor<8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.Reshape"(%0) <{kernel = "reference"}> : (tensor<8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>):
    %1 = "htp.Reshape"(%0) : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "htp.Reshape"(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>):
    %1 = "htp.Reshape"(%0) : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>):
    %1 = "htp.Reshape"(%0) : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "htp.Reshape"(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>):
    %1 = "htp.Reshape"(%0) : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_9", function_type = (tensor<f32>) -> ()}> ({
  ^bb0(%0: tensor<f32>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<f32>) -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = (tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<2x5xf16>) -> tensor<1x1x2x5xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x1x3x7x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_12", function_type = (tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<3x4xi32>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_13", function_type = (tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<i1>):
    %1 = "htp.Reshape"(%0) : (tensor<i1>) -> tensor<1x1x1x1xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_14", function_type = (tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<i1>):
    %1 = "htp.Reshape"(%0) : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_15", function_type = (tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<i1>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<i1>) -> tensor<1x1x1x1xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_16", function_type = (tensor<3x4xui16>) -> ()}> ({
  ^bb0(%0: tensor<3x4xui16>):
    %1 = "htp.Reshape"(%0) : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_17", function_type = (tensor<3x4xui16>) -> ()}> ({
  ^bb0(%0: tensor<3x4xui16>):
    %1 = "htp.Reshape"(%0) : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_18", function_type = (tensor<3x4xui16>) -> ()}> ({
  ^bb0(%0: tensor<3x4xui16>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<3x4xui16>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_19", function_type = (tensor<6x4xui8>) -> ()}> ({
  ^bb0(%0: tensor<6x4xui8>):
    %1 = "htp.Reshape"(%0) : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_20", function_type = (tensor<6x4xui8>) -> ()}> ({
  ^bb0(%0: tensor<6x4xui8>):
    %1 = "htp.Reshape"(%0) : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_21", function_type = (tensor<6x4xui8>) -> ()}> ({
  ^bb0(%0: tensor<6x4xui8>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<6x4xui8>) -> tensor<1x1x6x4xui8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_22", function_type = (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_23", function_type = (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_24", function_type = (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<1x1x2x3x!quant.uniform<i8:f32:3, {1.000000e-01, 2.000000e-01, 3.000000e-01}>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_25", function_type = (tensor<2x3xi64>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi64>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_26", function_type = (tensor<2x3xi64>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi64>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_27", function_type = (tensor<2x3xi64>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi64>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<2x3xi64>) -> tensor<1x1x2x3xi64, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_28", function_type = (tensor<2x3xi8>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi8>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_29", function_type = (tensor<2x3xi8>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi8>):
    %1 = "htp.Reshape"(%0) : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_30", function_type = (tensor<2x3xi8>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi8>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<2x3xi8>) -> tensor<1x1x2x3xi8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_31", function_type = (tensor<1x1x2x3xi16>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi16>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3xi16>) -> tensor<2x3xi16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_32", function_type = (tensor<1x1x2x3xui32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xui32>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3xui32>) -> tensor<2x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_33", function_type = (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi16, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> tensor<2x3xi16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_34", function_type = (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xui32, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> tensor<2x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_35", function_type = (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi16, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<1x1x2x3xi16, #htp.place<flat, ddr>>) -> tensor<2x3xi16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_36", function_type = (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xui32, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<1x1x2x3xui32, #htp.place<flat, ddr>>) -> tensor<2x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_37", function_type = (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_38", function_type = (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_39", function_type = (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>):
    %1 = "htp.Reshape"(%0) {in_place} : (tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>) -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
