builtin.module {
  func.func @main(%x: tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32> {
    %0 = htp.Relu(%x) {htp.gathered, htp.tile = [array<i64: 1, 8>]} : (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>
    %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
    %1 = htp.Concat(%axis, %0, %0) {htp.gathered} : (tensor<1x1x1x1xi32>, tensor<1x8x64x32xf32>, tensor<1x8x64x32xf32>) -> tensor<1x16x64x32xf32>
    func.return %0 : tensor<1x8x64x32xf32>
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "main", function_type = (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>}> ({
  ^bb0(%x: tensor<1x8x64x32xf32>):
    %0 = "htp.Relu"(%x) {htp.gathered, htp.tile = [array<i64: 1, 8>]} : (tensor<1x8x64x32xf32>) -> tensor<1x8x64x32xf32>
    %axis = "htp.Const"() <{value = dense<1> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %1 = "htp.Concat"(%axis, %0, %0) {htp.gathered} : (tensor<1x1x1x1xi32>, tensor<1x8x64x32xf32>, tensor<1x8x64x32xf32>) -> tensor<1x16x64x32xf32>
    "func.return"(%0) : (tensor<1x8x64x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()
