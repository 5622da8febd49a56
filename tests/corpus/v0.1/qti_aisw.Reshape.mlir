builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.Reshape(%0) {shape = array<i64: 1, 256>} : (tensor<1x8x8x4xf32>) -> tensor<1x256xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x3xf16>) {
    %1 = qti_aisw.Reshape(%0) {shape = array<i64: 6, 2>} : (tensor<4x3xf16>) -> tensor<6x2xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<4x3xi32>) {
    %1 = qti_aisw.Reshape(%0) {shape = array<i64: 6, 2>} : (tensor<4x3xi32>) -> tensor<6x2xi32>
    func.return
  }
  func.func @graph_3(%0: tensor<4x3xi1>) {
    %1 = qti_aisw.Reshape(%0) {shape = array<i64: 6, 2>} : (tensor<4x3xi1>) -> tensor<6x2xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Reshape(%0) {shape = array<i64: 6, 2>} : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<6x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.Reshape"(%0) <{shape = array<i64: 1, 256>}> : (tensor<1x8x8x4xf32>) -> tensor<1x256xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<4x3xf16>):
    %1 = "qti_aisw.Reshape"(%0) <{shape = array<i64: 6, 2>}> : (tensor<4x3xf16>) -> tensor<6x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi32>):
    %1 = "qti_aisw.Reshape"(%0) <{shape = array<i64: 6, 2>}> : (tensor<4x3xi32>) -> tensor<6x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>):
    %1 = "qti_aisw.Reshape"(%0) <{shape = array<i64: 6, 2>}> : (tensor<4x3xi1>) -> tensor<6x2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Reshape"(%0) <{shape = array<i64: 6, 2>}> : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<6x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
