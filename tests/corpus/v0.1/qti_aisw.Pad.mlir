builtin.module {
  func.func @graph_0(%0: tensor<4x8xf32>) {
    %y = qti_aisw.Pad(%0) {pad_amount = array<i64: 0, 0, 1, 2>} : (tensor<4x8xf32>) -> tensor<4x11xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<3xf16>) {
    %1 = qti_aisw.Pad(%0) {pad_amount = array<i64: 1, 0>} : (tensor<3xf16>) -> tensor<4xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<3xi32>) {
    %1 = qti_aisw.Pad(%0) {pad_amount = array<i64: 1, 0>, pad_constant_value = 7.000000e+00 : f32} : (tensor<3xi32>) -> tensor<4xi32>
    func.return
  }
  func.func @graph_3(%0: tensor<3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Pad(%0) {pad_amount = array<i64: 1, 2>, pad_constant_value = 5.000000e-01 : f32} : (tensor<3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<6x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x8xf32>):
    %y = "qti_aisw.Pad"(%0) <{pad_amount = array<i64: 0, 0, 1, 2>, pad_constant_value = 0.000000e+00 : f32}> : (tensor<4x8xf32>) -> tensor<4x11xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3xf16>) -> ()}> ({
  ^bb0(%0: tensor<3xf16>):
    %1 = "qti_aisw.Pad"(%0) <{pad_amount = array<i64: 1, 0>, pad_constant_value = 0.000000e+00 : f32}> : (tensor<3xf16>) -> tensor<4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3xi32>) -> ()}> ({
  ^bb0(%0: tensor<3xi32>):
    %1 = "qti_aisw.Pad"(%0) <{pad_amount = array<i64: 1, 0>, pad_constant_value = 7.000000e+00 : f32}> : (tensor<3xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Pad"(%0) <{pad_amount = array<i64: 1, 2>, pad_constant_value = 5.000000e-01 : f32}> : (tensor<3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<6x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
