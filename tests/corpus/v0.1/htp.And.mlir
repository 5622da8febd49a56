builtin.module {
  func.func @native_0(%0: tensor<1x8x8x32xi1>, %1: tensor<1x8x8x32xi1>) {
    %r = htp.And(%0, %1) : (tensor<1x8x8x32xi1>, tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>
    func.return
  }
  func.func @placed_1(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, %1: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) {
    %r = htp.And(%0, %1) : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, %1: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) {
    %r = htp.And(%0, %1) {kernel = "reference"} : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x4xi32>, %1: tensor<1x1x1x4xi32>) {
    %2 = htp.And(%0, %1) : (tensor<1x1x3x4xi32>, tensor<1x1x1x4xi32>) -> tensor<1x1x3x4xi32>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x3x4xui16>, %1: tensor<1x1x1x4xui16>) {
    %2 = htp.And(%0, %1) : (tensor<1x1x3x4xui16>, tensor<1x1x1x4xui16>) -> tensor<1x1x3x4xui16>
    func.return
  }
  func.func @placed_5(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) {
    %2 = htp.And(%0, %1) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) {
    %2 = htp.And(%0, %1) : (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_7(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) {
    %2 = htp.And(%0, %1) {kernel = "logic"} : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_8(%0: tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) {
    %2 = htp.And(%0, %1) {kernel = "logic"} : (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x8x8x32xi1>, tensor<1x8x8x32xi1>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1>, %1: tensor<1x8x8x32xi1>):
    %r = "htp.And"(%0, %1) : (tensor<1x8x8x32xi1>, tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, %1: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>):
    %r = "htp.And"(%0, %1) : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, %1: tensor<1x8x8x32xi1, #htp.place<flat, ddr>>):
    %r = "htp.And"(%0, %1) <{kernel = "reference"}> : (tensor<1x8x8x32xi1, #htp.place<flat, ddr>>, tensor<1x8x8x32xi1, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x4xi32>, tensor<1x1x1x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32>, %1: tensor<1x1x1x4xi32>):
    %2 = "htp.And"(%0, %1) : (tensor<1x1x3x4xi32>, tensor<1x1x1x4xi32>) -> tensor<1x1x3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x3x4xui16>, tensor<1x1x1x4xui16>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xui16>, %1: tensor<1x1x1x4xui16>):
    %2 = "htp.And"(%0, %1) : (tensor<1x1x3x4xui16>, tensor<1x1x1x4xui16>) -> tensor<1x1x3x4xui16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xi32, #htp.place<flat, ddr>>):
    %2 = "htp.And"(%0, %1) : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xui16, #htp.place<flat, ddr>>):
    %2 = "htp.And"(%0, %1) : (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xi32, #htp.place<flat, ddr>>):
    %2 = "htp.And"(%0, %1) <{kernel = "logic"}> : (tensor<1x1x3x4xi32, #htp.place<flat, ddr>>, tensor<1x1x1x4xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x4xui16, #htp.place<flat, ddr>>):
    %2 = "htp.And"(%0, %1) <{kernel = "logic"}> : (tensor<1x1x3x4xui16, #htp.place<flat, ddr>>, tensor<1x1x1x4xui16, #htp.place<flat, ddr>>) -> tensor<1x1x3x4xui16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
