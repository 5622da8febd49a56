builtin.module {
  func.func @graph_0(%0: tensor<1x8x32x16xf32>, %1: tensor<1x2x32x16xf32>, %2: tensor<1x2x32x16xf32>, %3: tensor<32x32xf32>) {
    %y = qti_aisw.Attention(%0, %1, %2, mask = %3) {scale = 2.500000e-01 : f32, last = 0 : i64} : (tensor<1x8x32x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<32x32xf32>) -> tensor<1x8x32x16xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x2x33x8xf16>, %1: tensor<1x2x33x8xf16>, %2: tensor<1x2x33x8xf16>) {
    %3 = qti_aisw.Attention(%0, %1, %2) {scale = 3.000000e-01 : f32, last = 0 : i64} : (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>) -> tensor<1x2x33x8xf16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x32x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<32x32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x32x16xf32>, %1: tensor<1x2x32x16xf32>, %2: tensor<1x2x32x16xf32>, %3: tensor<32x32xf32>):
    %y = "qti_aisw.Attention"(%0, %1, %2, %3) <{scale = 2.500000e-01 : f32, last = 0 : i64, softcap = 0.000000e+00 : f32, first = -1073741824 : i64}> : (tensor<1x8x32x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<32x32xf32>) -> tensor<1x8x32x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x2x33x8xf16>, %1: tensor<1x2x33x8xf16>, %2: tensor<1x2x33x8xf16>):
    %3 = "qti_aisw.Attention"(%0, %1, %2) <{scale = 3.000000e-01 : f32, last = 0 : i64, softcap = 0.000000e+00 : f32, first = -1073741824 : i64}> : (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>) -> tensor<1x2x33x8xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
