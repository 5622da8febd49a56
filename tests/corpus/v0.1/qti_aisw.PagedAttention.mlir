builtin.module {
  func.func @graph_0(%0: tensor<2x8x1x16xf32>, %1: tensor<32x4x2x16xf32>, %2: tensor<32x4x2x16xf32>, %3: tensor<2x3xi32>) {
    %y = qti_aisw.PagedAttention(%0, %1, %2, %3) {scale = 2.500000e-01 : f32} : (tensor<2x8x1x16xf32>, tensor<32x4x2x16xf32>, tensor<32x4x2x16xf32>, tensor<2x3xi32>) -> tensor<2x8x1x16xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<2x8x1x16xf32>, tensor<32x4x2x16xf32>, tensor<32x4x2x16xf32>, tensor<2x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x8x1x16xf32>, %1: tensor<32x4x2x16xf32>, %2: tensor<32x4x2x16xf32>, %3: tensor<2x3xi32>):
    %y = "qti_aisw.PagedAttention"(%0, %1, %2, %3) <{scale = 2.500000e-01 : f32, softcap = 0.000000e+00 : f32, first = -1073741824 : i64, last = 1073741824 : i64}> : (tensor<2x8x1x16xf32>, tensor<32x4x2x16xf32>, tensor<32x4x2x16xf32>, tensor<2x3xi32>) -> tensor<2x8x1x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
