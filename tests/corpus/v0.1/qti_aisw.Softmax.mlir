builtin.module {
  func.func @graph_0(%0: tensor<4x10xf32>) {
    %y = qti_aisw.Softmax(%0) {axis = 1 : i64} : (tensor<4x10xf32>) -> tensor<4x10xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x5xf16>) {
    %1 = qti_aisw.Softmax(%0) : (tensor<2x5xf16>) -> tensor<2x5xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Softmax(%0) : (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x5x!quant.uniform<u8:f32, 3.000000e-02:200>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x10xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x10xf32>):
    %y = "qti_aisw.Softmax"(%0) <{axis = 1 : i64, beta = 1.000000e+00 : f32}> : (tensor<4x10xf32>) -> tensor<4x10xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>):
    %1 = "qti_aisw.Softmax"(%0) <{axis = -1 : i64, beta = 1.000000e+00 : f32}> : (tensor<2x5xf16>) -> tensor<2x5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Softmax"(%0) <{axis = -1 : i64, beta = 1.000000e+00 : f32}> : (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x5x!quant.uniform<u8:f32, 3.000000e-02:200>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
