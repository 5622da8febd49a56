builtin.module {
  func.func @graph_0(%0: tensor<100x16xf32>, %1: tensor<2x3xi32>) {
    %y = qti_aisw.Gather(%0, %1) {axis = 0 : i64} : (tensor<100x16xf32>, tensor<2x3xi32>) -> tensor<2x3x16xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x5xf32>, %1: tensor<2x3xi64>) {
    %2 = qti_aisw.Gather(%0, %1) {axis = 1 : i64} : (tensor<4x5xf32>, tensor<2x3xi64>) -> tensor<4x2x3xf32>
    func.return
  }
  func.func @graph_2(%0: tensor<4x3xf16>, %1: tensor<3xi32>) {
    %2 = qti_aisw.Gather(%0, %1) {axis = 0 : i64} : (tensor<4x3xf16>, tensor<3xi32>) -> tensor<3x3xf16>
    func.return
  }
  func.func @graph_3(%0: tensor<4x3xi1>, %1: tensor<3xi32>) {
    %2 = qti_aisw.Gather(%0, %1) {axis = 0 : i64} : (tensor<4x3xi1>, tensor<3xi32>) -> tensor<3x3xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3xi32>) {
    %2 = qti_aisw.Gather(%0, %1) {axis = 0 : i64} : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3xi32>) -> tensor<3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<100x16xf32>, tensor<2x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<100x16xf32>, %1: tensor<2x3xi32>):
    %y = "qti_aisw.Gather"(%0, %1) <{axis = 0 : i64}> : (tensor<100x16xf32>, tensor<2x3xi32>) -> tensor<2x3x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x5xf32>, tensor<2x3xi64>) -> ()}> ({
  ^bb0(%0: tensor<4x5xf32>, %1: tensor<2x3xi64>):
    %2 = "qti_aisw.Gather"(%0, %1) <{axis = 1 : i64}> : (tensor<4x5xf32>, tensor<2x3xi64>) -> tensor<4x2x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x3xf16>, tensor<3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3xf16>, %1: tensor<3xi32>):
    %2 = "qti_aisw.Gather"(%0, %1) <{axis = 0 : i64}> : (tensor<4x3xf16>, tensor<3xi32>) -> tensor<3x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x3xi1>, tensor<3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>, %1: tensor<3xi32>):
    %2 = "qti_aisw.Gather"(%0, %1) <{axis = 0 : i64}> : (tensor<4x3xi1>, tensor<3xi32>) -> tensor<3x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<3xi32>):
    %2 = "qti_aisw.Gather"(%0, %1) <{axis = 0 : i64}> : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3xi32>) -> tensor<3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
