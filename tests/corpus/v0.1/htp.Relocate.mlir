builtin.module {
  func.func @allocated_0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>) {
    %r = htp.Relocate(%0) {kernel = "reference", reason = "room for %conv"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "allocated_0", function_type = (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>):
    %r = "htp.Relocate"(%0) <{kernel = "reference"}> {reason = "room for %conv"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
