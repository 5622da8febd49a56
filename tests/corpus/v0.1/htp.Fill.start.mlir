builtin.module {
  func.func @allocated_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) {
    %r = htp.Fill.start(%0) {kernel = "reference", reason = "needed by %add"} : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "allocated_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>):
    %r = "htp.Fill.start"(%0) <{kernel = "reference"}> {reason = "needed by %add"} : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
