builtin.module {
  func.func @native_0(%0: tensor<1x8x32x16xf32>, %1: tensor<1x8x64x16xf32>, %2: tensor<1x8x64x16xf32>, %3: tensor<1x1x32x64xf32>, %4: tensor<1x1x1x1xf32>, %5: tensor<1x1x1x1xf32>, %6: tensor<1x1x1x1xi32>, %7: tensor<1x1x1x1xi32>) {
    %r = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x8x32x16xf32>, tensor<1x8x64x16xf32>, tensor<1x8x64x16xf32>, tensor<1x1x32x64xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x8x32x16xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, %1: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %2: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x8x32x16xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, %1: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %2: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) {kernel = "reference"} : (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x8x32x16xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x2x33x8xf16>, %1: tensor<1x2x33x8xf16>, %2: tensor<1x2x33x8xf16>, %3: tensor<1x1x1x1xf16>, %4: tensor<1x1x1x1xf32>, %5: tensor<1x1x1x1xf32>, %6: tensor<1x1x1x1xi32>, %7: tensor<1x1x1x1xi32>) {
    %8 = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x33x8xf16>
    func.return
  }
  func.func @placed_4(%0: tensor<1x2x33x8xf16, #htp.place<flat, tcm>>, %1: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %2: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %8 = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x2x33x8xf16, #htp.place<flat, tcm>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x2x33x8xf16, #htp.place<flat, tcm>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x2x33x8xf16, #htp.place<flat, tcm, 2048>>, %1: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %2: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %8 = htp.Attention(%0, %1, %2, %3, %4, %5, %6, %7) {kernel = "half.flat_tcm"} : (tensor<1x2x33x8xf16, #htp.place<flat, tcm, 2048>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x2x33x8xf16, #htp.place<flat, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x32x16xf32>, tensor<1x8x64x16xf32>, tensor<1x8x64x16xf32>, tensor<1x1x32x64xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x32x16xf32>, %1: tensor<1x8x64x16xf32>, %2: tensor<1x8x64x16xf32>, %3: tensor<1x1x32x64xf32>, %4: tensor<1x1x1x1xf32>, %5: tensor<1x1x1x1xf32>, %6: tensor<1x1x1x1xi32>, %7: tensor<1x1x1x1xi32>):
    %r = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x8x32x16xf32>, tensor<1x8x64x16xf32>, tensor<1x8x64x16xf32>, tensor<1x1x32x64xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x8x32x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, %1: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %2: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x8x32x16xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, %1: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %2: tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) <{kernel = "reference"}> : (tensor<1x8x32x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x8x64x16xf32, #htp.place<flat, ddr>>, tensor<1x1x32x64xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x8x32x16xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x2x33x8xf16>, %1: tensor<1x2x33x8xf16>, %2: tensor<1x2x33x8xf16>, %3: tensor<1x1x1x1xf16>, %4: tensor<1x1x1x1xf32>, %5: tensor<1x1x1x1xf32>, %6: tensor<1x1x1x1xi32>, %7: tensor<1x1x1x1xi32>):
    %8 = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x33x8xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x2x33x8xf16, #htp.place<flat, tcm>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x2x33x8xf16, #htp.place<flat, tcm>>, %1: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %2: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %8 = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<1x2x33x8xf16, #htp.place<flat, tcm>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x2x33x8xf16, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x2x33x8xf16, #htp.place<flat, tcm, 2048>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x2x33x8xf16, #htp.place<flat, tcm, 2048>>, %1: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %2: tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %6: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %7: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %8 = "htp.Attention"(%0, %1, %2, %3, %4, %5, %6, %7) <{kernel = "half.flat_tcm"}> : (tensor<1x2x33x8xf16, #htp.place<flat, tcm, 2048>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x2x33x8xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x2x33x8xf16, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
