builtin.module {
  func.func @native_0(%0: tensor<1x1x8x4xf32>, %1: tensor<1x1x2x8xf32>, %2: tensor<1x1x1x1xf32>, %3: tensor<1x1x1x1xf32>, %4: tensor<1x1x1x1xi32>) {
    %i, %n = htp.NonMaxSuppression(%0, %1, %2, %3, %4) : (tensor<1x1x8x4xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %i, %n = htp.NonMaxSuppression(%0, %1, %2, %3, %4) : (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x6x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %i, %n = htp.NonMaxSuppression(%0, %1, %2, %3, %4) {kernel = "reference"} : (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x6x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @native_3(%0: tensor<1x2x9x4xf16>, %1: tensor<1x2x3x9xf16>, %2: tensor<1x1x1x1xf32>, %3: tensor<1x1x1x1xf32>, %4: tensor<1x1x1x1xi32>) {
    %5, %6 = htp.NonMaxSuppression(%0, %1, %2, %3, %4) : (tensor<1x2x9x4xf16>, tensor<1x2x3x9xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x24x3xi32>, tensor<1x1x1x1xi32>)
    func.return
  }
  func.func @placed_4(%0: tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, %1: tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6 = htp.NonMaxSuppression(%0, %1, %2, %3, %4) : (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x24x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_5(%0: tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, %1: tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6 = htp.NonMaxSuppression(%0, %1, %2, %3, %4) {kernel = "reference"} : (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x24x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x8x4xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x4xf32>, %1: tensor<1x1x2x8xf32>, %2: tensor<1x1x1x1xf32>, %3: tensor<1x1x1x1xf32>, %4: tensor<1x1x1x1xi32>):
    %i, %n = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) : (tensor<1x1x8x4xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %i, %n = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) : (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x6x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %i, %n = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) <{kernel = "reference"}> : (tensor<1x1x8x4xf32, #htp.place<flat, ddr>>, tensor<1x1x2x8xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x6x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x2x9x4xf16>, tensor<1x2x3x9xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x2x9x4xf16>, %1: tensor<1x2x3x9xf16>, %2: tensor<1x1x1x1xf32>, %3: tensor<1x1x1x1xf32>, %4: tensor<1x1x1x1xi32>):
    %5, %6 = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) : (tensor<1x2x9x4xf16>, tensor<1x2x3x9xf16>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x24x3xi32>, tensor<1x1x1x1xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, %1: tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6 = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) : (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x24x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, %1: tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6 = "htp.NonMaxSuppression"(%0, %1, %2, %3, %4) <{kernel = "reference"}> : (tensor<1x2x9x4xf16, #htp.place<flat, ddr>>, tensor<1x2x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x24x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
