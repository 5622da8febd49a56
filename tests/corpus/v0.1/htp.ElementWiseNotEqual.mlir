builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x32xf32>) {
    %r = htp.ElementWiseNotEqual(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xi1>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.ElementWiseNotEqual(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) {
    %r = htp.ElementWiseNotEqual(%0, %1) {kernel = "reference"} : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32>, %1: tensor<1x1x1x32xf32>):
    %r = "htp.ElementWiseNotEqual"(%0, %1) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.ElementWiseNotEqual"(%0, %1) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x32xf32, #htp.place<flat, ddr>>):
    %r = "htp.ElementWiseNotEqual"(%0, %1) <{kernel = "reference"}> : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
