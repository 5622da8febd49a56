builtin.module {
  func.func @native_0(%0: tensor<1x1x4x32xf32>, %1: tensor<1x1x8x16xui8>, %2: tensor<1x1x1x16xf32>, %3: tensor<1x1x8x2xf32>, %4: tensor<1x1x1x1xui8>, %5: tensor<1x1x1x8xf32>) {
    %r = htp.CodedFullyConnected(%0, %1, %2, %3, %4, %5) : (tensor<1x1x4x32xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, %2: tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, %5: tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) {
    %r = htp.CodedFullyConnected(%0, %1, %2, %3, %4, %5) : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, %2: tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, %5: tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) {
    %r = htp.CodedFullyConnected(%0, %1, %2, %3, %4, %5) {kernel = "reference"} : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x4x32xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32>, %1: tensor<1x1x8x16xui8>, %2: tensor<1x1x1x16xf32>, %3: tensor<1x1x8x2xf32>, %4: tensor<1x1x1x1xui8>, %5: tensor<1x1x1x8xf32>):
    %r = "htp.CodedFullyConnected"(%0, %1, %2, %3, %4, %5) : (tensor<1x1x4x32xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, %2: tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, %5: tensor<1x1x1x8xf32, #htp.place<flat, ddr>>):
    %r = "htp.CodedFullyConnected"(%0, %1, %2, %3, %4, %5) : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, %2: tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, %5: tensor<1x1x1x8xf32, #htp.place<flat, ddr>>):
    %r = "htp.CodedFullyConnected"(%0, %1, %2, %3, %4, %5) <{kernel = "reference"}> : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x16xui8, #htp.place<flat, ddr>>, tensor<1x1x1x16xf32, #htp.place<flat, ddr>>, tensor<1x1x8x2xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xui8, #htp.place<flat, ddr>>, tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x8xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
