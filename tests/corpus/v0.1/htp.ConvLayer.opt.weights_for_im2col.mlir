builtin.module {
  func.func @native_0(%0: tensor<3x3x3x64xf32>) {
    %r = htp.ConvLayer.opt.weights_for_im2col(%0) : (tensor<3x3x3x64xf32>) -> tensor<1x1x32x64xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) {
    %r = htp.ConvLayer.opt.weights_for_im2col(%0) : (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x32x64xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) {
    %r = htp.ConvLayer.opt.weights_for_im2col(%0) {kernel = "reference"} : (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x32x64xf32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<3x3x3x64xf32>) -> ()}> ({
  ^bb0(%0: tensor<3x3x3x64xf32>):
    %r = "htp.ConvLayer.opt.weights_for_im2col"(%0) : (tensor<3x3x3x64xf32>) -> tensor<1x1x32x64xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<3x3x3x64xf32, #htp.place<flat, ddr>>):
    %r = "htp.ConvLayer.opt.weights_for_im2col"(%0) : (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x32x64xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<3x3x3x64xf32, #htp.place<flat, ddr>>):
    %r = "htp.ConvLayer.opt.weights_for_im2col"(%0) <{kernel = "reference"}> : (tensor<3x3x3x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x32x64xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
