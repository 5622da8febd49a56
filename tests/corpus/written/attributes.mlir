module attributes {htp.tcm_bytes = 65536 : i64, Other.note = "free"} {
  func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"}) -> (tensor<1x8x8x32xf32> {htp.name = "y"}) attributes {htp.least_conversion_bytes = 128 : i64} {
    %0 = htp.Relu(%x) {htp.name = "relu", htp.tile = [array<i64: 1, 8>, array<i64: 3, 32>], htp.in_step} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %1 = htp.Neg(%0) {htp.tile = [], htp.home, Other.note = 3 : i64} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %2 = htp.Abs(%1) {htp.by_hand = [#htp.place<flat, tcm>, unit], htp.operand_places = [unit, #htp.place<crouton, tcm, 2048>]} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %3 = htp.Exp(%2) {htp.autothread = "hvx", htp.split_history = array<i64: 1, 2>} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %4 = htp.Relu(%3) {kernel = "rows", scratch = [tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>, tensor<1x1x4x32xi8, #htp.place<flat, ddr>>]} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %5 = htp.Const dense<3> : tensor<1x1x1x1xi32> {htp.name = "axis"} -> tensor<1x1x1x1xi32>
    func.return %4 : tensor<1x8x8x32xf32>
  }
}
