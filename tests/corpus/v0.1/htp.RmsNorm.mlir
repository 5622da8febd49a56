builtin.module {
  func.func @native_0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x1x32xf32>, %2: tensor<1x1x1x32xf32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>) {
    %r = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %r = htp.RmsNorm(%0, %1, %2, %3, %4) {kernel = "reference"} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x2x5xf16>, %1: tensor<1x1x1x5xf16>, %2: tensor<1x1x1x5xf16>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x2x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x5xf16>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>>
    func.return
  }
  func.func @placed_5(%0: tensor<1x1x2x5xf16, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x2x5xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>, %1: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) {kernel = "half.flat_tcm"} : (tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm, 0>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) {
    %5 = htp.RmsNorm(%0, %1, %2, %3, %4) {kernel = "quantized.flat_tcm"} : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>, #htp.place<flat, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x1x32xf32>, %2: tensor<1x1x1x32xf32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>):
    %r = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %r = "htp.RmsNorm"(%0, %1, %2, %3, %4) <{kernel = "reference"}> : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x2x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5xf16>, %1: tensor<1x1x1x5xf16>, %2: tensor<1x1x1x5xf16>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x2x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x5xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xf32>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x1x2x5xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5xf16, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x2x5xf16, #htp.place<flat, tcm>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>, %1: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) <{kernel = "half.flat_tcm"}> : (tensor<1x1x2x5xf16, #htp.place<flat, tcm, 4096>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x5xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5xf16, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>, %1: tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, %2: tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>):
    %5 = "htp.RmsNorm"(%0, %1, %2, %3, %4) <{kernel = "quantized.flat_tcm"}> : (tensor<1x1x2x5x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, tcm, 2048>>, tensor<1x1x1x5x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x5x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x1x2x5x!quant.uniform<u8:f32, 3.000000e-02:120>, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
