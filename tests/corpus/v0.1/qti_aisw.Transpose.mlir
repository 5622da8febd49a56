builtin.module {
  func.func @graph_0(%0: tensor<1x8x6x4xf32>) {
    %y = qti_aisw.Transpose(%0) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x6x4xf32>) -> tensor<1x4x8x6xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x3xf16>) {
    %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<4x3xf16>) -> tensor<3x4xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<4x3xi32>) {
    %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<4x3xi32>) -> tensor<3x4xi32>
    func.return
  }
  func.func @graph_3(%0: tensor<4x3xi1>) {
    %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<4x3xi1>) -> tensor<3x4xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @graph_5(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) {
    %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x6x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x6x4xf32>):
    %y = "qti_aisw.Transpose"(%0) <{perm = array<i64: 0, 3, 1, 2>}> : (tensor<1x8x6x4xf32>) -> tensor<1x4x8x6xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<4x3xf16>):
    %1 = "qti_aisw.Transpose"(%0) <{perm = array<i64: 1, 0>}> : (tensor<4x3xf16>) -> tensor<3x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi32>):
    %1 = "qti_aisw.Transpose"(%0) <{perm = array<i64: 1, 0>}> : (tensor<4x3xi32>) -> tensor<3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>):
    %1 = "qti_aisw.Transpose"(%0) <{perm = array<i64: 1, 0>}> : (tensor<4x3xi1>) -> tensor<3x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Transpose"(%0) <{perm = array<i64: 1, 0>}> : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_5", function_type = (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>):
    %1 = "qti_aisw.Transpose"(%0) <{perm = array<i64: 1, 0>}> : (tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {1.000000e-01, 2.000000e-01, 3.000000e-01}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
