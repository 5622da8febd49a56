builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>) {
    %r = htp.BitCast(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.BitCast(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.BitCast(%0) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x2x3xf16>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xf16>) -> tensor<1x1x2x3xi16>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x2x3xi1>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xi1>) -> tensor<1x1x2x3xui8>
    func.return
  }
  func.func @native_5(%0: tensor<1x1x2x3xi32>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xi32>) -> tensor<1x1x2x3xui32>
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_7(%0: tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_9(%0: tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) {kernel = "reference"} : (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_10(%0: tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) {kernel = "reference"} : (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui8, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) {
    %1 = htp.BitCast(%0) {kernel = "reference"} : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>):
    %r = "htp.BitCast"(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.BitCast"(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.BitCast"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x2x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf16>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xf16>) -> tensor<1x1x2x3xi16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x2x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi1>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xi1>) -> tensor<1x1x2x3xui8>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<1x1x2x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xi32>) -> tensor<1x1x2x3xui32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf16, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi1, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_9", function_type = (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xf16, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) <{kernel = "reference"}> : (tensor<1x1x2x3xf16, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xi16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi1, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) <{kernel = "reference"}> : (tensor<1x1x2x3xi1, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui8, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>):
    %1 = "htp.BitCast"(%0) <{kernel = "reference"}> : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>) -> tensor<1x1x2x3xui32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
