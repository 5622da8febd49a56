builtin.module {
  func.func @main(%x: tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32> {
    %0 = htp.Reshape(%x) : (tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
    %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>
    %2 = htp.Abs(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>
    %3 = htp.Add(%1, %2) {overwrites = 1 : i64} : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>, tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>
    %4 = htp.flat_from_vtcm(%3) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
    %5 = htp.Reshape(%4) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32>
    func.return %5 : tensor<1x1x1x512xf32>
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "main", function_type = (tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32>}> ({
  ^bb0(%x: tensor<1x1x1x512xf32>):
    %0 = "htp.Reshape"(%x) : (tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
    %1 = "htp.flat_to_vtcm"(%0) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>
    %2 = "htp.Abs"(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>
    %3 = "htp.Add"(%1, %2) {overwrites = 1 : i64} : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>, tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>
    %4 = "htp.flat_from_vtcm"(%3) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
    %5 = "htp.Reshape"(%4) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32>
    "func.return"(%5) : (tensor<1x1x1x512xf32>) -> ()
  }) : () -> ()
}) : () -> ()
