builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>, %1: tensor<1x8x8x2xf32>) {
    %y = qti_aisw.Concat(%0, %1) {axis = 3 : i64} : (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x6xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3xf16>, %1: tensor<1x3xf16>) {
    %2 = qti_aisw.Concat(%0, %1) {axis = 0 : i64} : (tensor<2x3xf16>, tensor<1x3xf16>) -> tensor<3x3xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3xi32>, %1: tensor<1x3xi32>) {
    %2 = qti_aisw.Concat(%0, %1) {axis = 0 : i64} : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<3x3xi32>
    func.return
  }
  func.func @graph_3(%0: tensor<2x3xi1>, %1: tensor<1x3xi1>) {
    %2 = qti_aisw.Concat(%0, %1) {axis = 0 : i64} : (tensor<2x3xi1>, tensor<1x3xi1>) -> tensor<3x3xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %2 = qti_aisw.Concat(%0, %1) {axis = 0 : i64} : (tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>, %1: tensor<1x8x8x2xf32>):
    %y = "qti_aisw.Concat"(%0, %1) <{axis = 3 : i64}> : (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x6xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3xf16>, tensor<1x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x3xf16>, %1: tensor<1x3xf16>):
    %2 = "qti_aisw.Concat"(%0, %1) <{axis = 0 : i64}> : (tensor<2x3xf16>, tensor<1x3xf16>) -> tensor<3x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3xi32>, tensor<1x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi32>, %1: tensor<1x3xi32>):
    %2 = "qti_aisw.Concat"(%0, %1) <{axis = 0 : i64}> : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<3x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x3xi1>, tensor<1x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi1>, %1: tensor<1x3xi1>):
    %2 = "qti_aisw.Concat"(%0, %1) <{axis = 0 : i64}> : (tensor<2x3xi1>, tensor<1x3xi1>) -> tensor<3x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %2 = "qti_aisw.Concat"(%0, %1) <{axis = 0 : i64}> : (tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
