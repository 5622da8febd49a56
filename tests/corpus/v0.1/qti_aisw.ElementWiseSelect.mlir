builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x1xi1>, %1: tensor<1x8x8x4xf32>, %2: tensor<4xf32>) {
    %y = qti_aisw.ElementWiseSelect(%0, %1, %2) : (tensor<1x8x8x1xi1>, tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<4x3xi1>, %1: tensor<4x3xi32>, %2: tensor<4x3xi32>) {
    %3 = qti_aisw.ElementWiseSelect(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<4x3xi1>, %1: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %2: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %3 = qti_aisw.ElementWiseSelect(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @graph_3(%0: tensor<4x3xi1>, %1: tensor<4x3xf16>, %2: tensor<4x3xf16>) {
    %3 = qti_aisw.ElementWiseSelect(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3xf16>, tensor<4x3xf16>) -> tensor<4x3xf16>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x1xi1>, tensor<1x8x8x4xf32>, tensor<4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x1xi1>, %1: tensor<1x8x8x4xf32>, %2: tensor<4xf32>):
    %y = "qti_aisw.ElementWiseSelect"(%0, %1, %2) : (tensor<1x8x8x1xi1>, tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4x3xi1>, tensor<4x3xi32>, tensor<4x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>, %1: tensor<4x3xi32>, %2: tensor<4x3xi32>):
    %3 = "qti_aisw.ElementWiseSelect"(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<4x3xi1>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>, %1: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %2: tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %3 = "qti_aisw.ElementWiseSelect"(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<4x3xi1>, tensor<4x3xf16>, tensor<4x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<4x3xi1>, %1: tensor<4x3xf16>, %2: tensor<4x3xf16>):
    %3 = "qti_aisw.ElementWiseSelect"(%0, %1, %2) : (tensor<4x3xi1>, tensor<4x3xf16>, tensor<4x3xf16>) -> tensor<4x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
