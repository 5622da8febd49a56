builtin.module {
  func.func @allocated_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>) {
    %r = htp.Spill(%0) {kernel = "reference", reason = "room for %conv"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "allocated_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>):
    %r = "htp.Spill"(%0) <{kernel = "reference"}> {reason = "room for %conv"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 2048>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
