builtin.module {
  func.func @graph_0(%0: tensor<1x16x32xf32>, %1: tensor<32xf32>) {
    %y = qti_aisw.RmsNorm(%0, %1) {axes = array<i64: -1>} : (tensor<1x16x32xf32>, tensor<32xf32>) -> tensor<1x16x32xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x5xf16>, %1: tensor<5xf16>) {
    %2 = qti_aisw.RmsNorm(%0, %1) {axes = array<i64: 1>} : (tensor<2x5xf16>, tensor<5xf16>) -> tensor<2x5xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<5x!quant.uniform<u8:f32, 1.000000e-02:128>>) {
    %2 = qti_aisw.RmsNorm(%0, %1) {axes = array<i64: 1>} : (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<5x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> tensor<2x5x!quant.uniform<u8:f32, 3.000000e-02:120>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x16x32xf32>, tensor<32xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x16x32xf32>, %1: tensor<32xf32>):
    %y = "qti_aisw.RmsNorm"(%0, %1) <{axes = array<i64: -1>, epsilon = 1.000000e-05 : f32}> : (tensor<1x16x32xf32>, tensor<32xf32>) -> tensor<1x16x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x5xf16>, tensor<5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>, %1: tensor<5xf16>):
    %2 = "qti_aisw.RmsNorm"(%0, %1) <{axes = array<i64: 1>, epsilon = 1.000000e-05 : f32}> : (tensor<2x5xf16>, tensor<5xf16>) -> tensor<2x5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<5x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<5x!quant.uniform<u8:f32, 1.000000e-02:128>>):
    %2 = "qti_aisw.RmsNorm"(%0, %1) <{axes = array<i64: 1>, epsilon = 1.000000e-05 : f32}> : (tensor<2x5x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<5x!quant.uniform<u8:f32, 1.000000e-02:128>>) -> tensor<2x5x!quant.uniform<u8:f32, 3.000000e-02:120>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
