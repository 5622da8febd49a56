builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.PoolAvg2d(%0) {filter_size = array<i64: 8, 8>} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.PoolAvg2d(%0) {filter_size = array<i64: 2, 3>, pad_amount = array<i64: 1, 0, 1, 1>} : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @graph_2(%0: tensor<1x6x6x3xf16>) {
    %1 = qti_aisw.PoolAvg2d(%0) {filter_size = array<i64: 2, 3>, stride = array<i64: 2, 2>} : (tensor<1x6x6x3xf16>) -> tensor<1x3x2x3xf16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.PoolAvg2d"(%0) <{filter_size = array<i64: 8, 8>, count_pad_for_edges = false, stride = array<i64: 1, 1>, pad_amount = array<i64: 0, 0, 0, 0>, rounding_mode = 0 : i64}> : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.PoolAvg2d"(%0) <{filter_size = array<i64: 2, 3>, pad_amount = array<i64: 1, 0, 1, 1>, count_pad_for_edges = false, stride = array<i64: 1, 1>, rounding_mode = 0 : i64}> : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<1x6x6x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16>):
    %1 = "qti_aisw.PoolAvg2d"(%0) <{filter_size = array<i64: 2, 3>, stride = array<i64: 2, 2>, count_pad_for_edges = false, pad_amount = array<i64: 0, 0, 0, 0>, rounding_mode = 0 : i64}> : (tensor<1x6x6x3xf16>) -> tensor<1x3x2x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
