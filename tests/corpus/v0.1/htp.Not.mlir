builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xi1>) {
    %r = htp.Not(%0) : (tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) {
    %r = htp.Not(%0) : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) {
    %r = htp.Not(%0) {kernel = "reference"} : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x4xi32>) {
    %1 = htp.Not(%0) : (tensor<1x1x3x4xi32>) -> tensor<1x1x3x4xi32>
    func.return
  }
  func.func @placed_4(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) {
    %1 = htp.Not(%0) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_5(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) {
    %1 = htp.Not(%0) {kernel = "logic"} : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xi1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1>):
    %r = "htp.Not"(%0) : (tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>):
    %r = "htp.Not"(%0) : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>):
    %r = "htp.Not"(%0) <{kernel = "reference"}> : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32>):
    %1 = "htp.Not"(%0) : (tensor<1x1x3x4xi32>) -> tensor<1x1x3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>):
    %1 = "htp.Not"(%0) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>):
    %1 = "htp.Not"(%0) <{kernel = "logic"}> : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
