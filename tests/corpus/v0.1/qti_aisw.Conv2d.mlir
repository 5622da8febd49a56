builtin.module {
  func.func @graph_0(%0: tensor<1x9x9x4xf32>, %1: tensor<3x3x4x8xf32>, %2: tensor<8xf32>) {
    %y = qti_aisw.Conv2d(%0, %1, bias = %2) {stride = array<i64: 2, 2>} : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x5x5x3xf16>, %1: tensor<3x3x3x4xf16>) {
    %2 = qti_aisw.Conv2d(%0, %1) : (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>) -> tensor<1x3x3x4xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>) {
    %2 = qti_aisw.Conv2d(%0, %1) {pad_amount = array<i64: 1, 0, 2, 1>} : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    func.return
  }
  func.func @graph_3(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, %2: tensor<32x!quant.uniform<i32:f32, 1.000000e-03>>) {
    %3 = qti_aisw.Conv2d(%0, %1, bias = %2) {stride = array<i64: 2, 2>} : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, tensor<32x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x9x9x4xf32>, %1: tensor<3x3x4x8xf32>, %2: tensor<8xf32>):
    %y = "qti_aisw.Conv2d"(%0, %1, %2) <{stride = array<i64: 2, 2>, group = 1 : i64, dilation = array<i64: 1, 1>, pad_amount = array<i64: 0, 0, 0, 0>}> : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x5x5x3xf16>, %1: tensor<3x3x3x4xf16>):
    %2 = "qti_aisw.Conv2d"(%0, %1) <{group = 1 : i64, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>, pad_amount = array<i64: 0, 0, 0, 0>}> : (tensor<1x5x5x3xf16>, tensor<3x3x3x4xf16>) -> tensor<1x3x3x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>):
    %2 = "qti_aisw.Conv2d"(%0, %1) <{pad_amount = array<i64: 1, 0, 2, 1>, group = 1 : i64, dilation = array<i64: 1, 1>, stride = array<i64: 1, 1>}> : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>) -> tensor<1x8x9x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, tensor<32x!quant.uniform<i32:f32, 1.000000e-03>>) -> ()}> ({
  ^bb0(%0: tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, %2: tensor<32x!quant.uniform<i32:f32, 1.000000e-03>>):
    %3 = "qti_aisw.Conv2d"(%0, %1, %2) <{stride = array<i64: 2, 2>, group = 1 : i64, dilation = array<i64: 1, 1>, pad_amount = array<i64: 0, 0, 0, 0>}> : (tensor<1x9x8x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x3x3x32x!quant.uniform<u8:f32, 2.000000e-02:120>>, tensor<32x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<1x4x3x32x!quant.uniform<u8:f32, 2.000000e-01:100>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
