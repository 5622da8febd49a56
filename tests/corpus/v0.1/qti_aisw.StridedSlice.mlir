builtin.module {
  func.func @graph_0(%0: tensor<8x4xf32>) {
    %y = qti_aisw.StridedSlice(%0) {ranges = array<i64: 0, 8, 2, 3, -1, -1>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x6xf16>) {
    %1 = qti_aisw.StridedSlice(%0) {ranges = array<i64: 1, 3, 1, 5, 0, -2>} : (tensor<4x6xf16>) -> tensor<2x3xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<4x6xi32>) {
    %1 = qti_aisw.StridedSlice(%0) {ranges = array<i64: 1, 3, 1, 5, 0, -2>} : (tensor<4x6xi32>) -> tensor<2x3xi32>
    func.return
  }
  func.func @graph_3(%0: tensor<4x6xi1>) {
    %1 = qti_aisw.StridedSlice(%0) {ranges = array<i64: 1, 3, 1, 5, 0, -2>} : (tensor<4x6xi1>) -> tensor<2x3xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.StridedSlice(%0) {ranges = array<i64: 1, 3, 1, 5, 0, -2>} : (tensor<4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<8x4xf32>):
    %y = "qti_aisw.StridedSlice"(%0) <{ranges = array<i64: 0, 8, 2, 3, -1, -1>}> : (tensor<8x4xf32>) -> tensor<4x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x6xf16>) -> ()}> ({
  ^bb0(%0: tensor<4x6xf16>):
    %1 = "qti_aisw.StridedSlice"(%0) <{ranges = array<i64: 1, 3, 1, 5, 0, -2>}> : (tensor<4x6xf16>) -> tensor<2x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x6xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x6xi32>):
    %1 = "qti_aisw.StridedSlice"(%0) <{ranges = array<i64: 1, 3, 1, 5, 0, -2>}> : (tensor<4x6xi32>) -> tensor<2x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x6xi1>) -> ()}> ({
  ^bb0(%0: tensor<4x6xi1>):
    %1 = "qti_aisw.StridedSlice"(%0) <{ranges = array<i64: 1, 3, 1, 5, 0, -2>}> : (tensor<4x6xi1>) -> tensor<2x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.StridedSlice"(%0) <{ranges = array<i64: 1, 3, 1, 5, 0, -2>}> : (tensor<4x6x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
