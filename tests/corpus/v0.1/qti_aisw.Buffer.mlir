builtin.module {
  func.func @graph_0(%0: tensor<1x2x16xf32>, %1: tensor<i1>) {
    %y = qti_aisw.Buffer(%0, reset = %1) {buffer_dim = 1 : i64, buffer_size = 8 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64} : (tensor<1x2x16xf32>, tensor<i1>) -> tensor<1x8x16xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x2xf16>, %1: tensor<i1>) {
    %2 = qti_aisw.Buffer(%0, reset = %1) {mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64} : (tensor<1x2xf16>, tensor<i1>) -> tensor<3x2xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<i1>) {
    %2 = qti_aisw.Buffer(%0, reset = %1) {mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64} : (tensor<1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<i1>) -> tensor<3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @graph_3(%0: tensor<1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<i1>) {
    %2 = qti_aisw.Buffer(%0, reset = %1) {mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64} : (tensor<1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<i1>) -> tensor<3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x2x16xf32>, tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<1x2x16xf32>, %1: tensor<i1>):
    %y = "qti_aisw.Buffer"(%0, %1) <{buffer_dim = 1 : i64, buffer_size = 8 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64, buffer_padding = 0 : i64}> : (tensor<1x2x16xf32>, tensor<i1>) -> tensor<1x8x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x2xf16>, tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<1x2xf16>, %1: tensor<i1>):
    %2 = "qti_aisw.Buffer"(%0, %1) <{mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64, buffer_padding = 0 : i64, stride = 1 : i64}> : (tensor<1x2xf16>, tensor<i1>) -> tensor<3x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<i1>):
    %2 = "qti_aisw.Buffer"(%0, %1) <{mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64, buffer_padding = 0 : i64, stride = 1 : i64}> : (tensor<1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<i1>) -> tensor<3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<i1>) -> ()}> ({
  ^bb0(%0: tensor<1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<i1>):
    %2 = "qti_aisw.Buffer"(%0, %1) <{mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, buffer_size = 3 : i64, buffer_dim = 0 : i64, buffer_padding = 0 : i64, stride = 1 : i64}> : (tensor<1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<i1>) -> tensor<3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
