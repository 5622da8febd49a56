builtin.module {
  func.func @graph_0(%0: tensor<8x4xf32>, %1: tensor<3x1xi32>, %2: tensor<3x4xf32>) {
    %y = qti_aisw.ScatterNd(%0, %1, %2) {reduction = 1 : i64} : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x5xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x5xf32>) {
    %3 = qti_aisw.ScatterNd(%0, %1, %2) : (tensor<4x5xf32>, tensor<3x2x1xi64>, tensor<3x2x5xf32>) -> tensor<4x5xf32>
    func.return
  }
  func.func @graph_2(%0: tensor<4x3xf16>, %1: tensor<6x1xi32>, %2: tensor<6x3xf16>) {
    %3 = qti_aisw.ScatterNd(%0, %1, %2) : (tensor<4x3xf16>, tensor<6x1xi32>, tensor<6x3xf16>) -> tensor<4x3xf16>
    func.return
  }
  func.func @graph_3(%0: tensor<4x3xi1>, %1: tensor<6x1xi32>, %2: tensor<6x3xi1>) {
    %3 = qti_aisw.ScatterNd(%0, %1, %2) : (tensor<4x3xi1>, tensor<6x1xi32>, tensor<6x3xi1>) -> tensor<4x3xi1>
    func.return
  }
  func.func @graph_4(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<6x1xi32>, %2: tensor<6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %3 = qti_aisw.ScatterNd(%0, %1, %2) : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x1xi32>, tensor<6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<3x1xi32>, %2: tensor<3x4xf32>):
    %y = "qti_aisw.ScatterNd"(%0, %1, %2) <{reduction = 1 : i64}> : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x5xf32>, tensor<3x2x1xi64>, tensor<3x2x5xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x5xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x5xf32>):
    %3 = "qti_aisw.ScatterNd"(%0, %1, %2) <{reduction = 0 : i64}> : (tensor<4x5xf32>, tensor<3x2x1xi64>, tensor<3x2x5xf32>) -> tensor<4x5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x3xf16>, tensor<6x1xi32>, tensor<6x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<4x3xf16>, %1: tensor<6x1xi32>, %2: tensor<6x3xf16>):
    %3 = "qti_aisw.ScatterNd"(%0, %1, %2) <{reduction = 0 : i64}> : (tensor<4x3xf16>, tensor<6x1xi32>, tensor<6x3xf16>) -> tensor<4x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x3xi1>, tensor<6x1xi32>, tensor<6x3xi1>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>, %1: tensor<6x1xi32>, %2: tensor<6x3xi1>):
    %3 = "qti_aisw.ScatterNd"(%0, %1, %2) <{reduction = 0 : i64}> : (tensor<4x3xi1>, tensor<6x1xi32>, tensor<6x3xi1>) -> tensor<4x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x1xi32>, tensor<6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<6x1xi32>, %2: tensor<6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %3 = "qti_aisw.ScatterNd"(%0, %1, %2) <{reduction = 0 : i64}> : (tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x1xi32>, tensor<6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
