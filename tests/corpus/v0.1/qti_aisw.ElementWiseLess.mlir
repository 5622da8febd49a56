builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>, %1: tensor<4xf32>) {
    %y = qti_aisw.ElementWiseLess(%0, %1) : (tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xi1>
    func.return
  }
  func.func @graph_1(%0: tensor<2x5xf16>, %1: tensor<2x5xf16>) {
    %2 = qti_aisw.ElementWiseLess(%0, %1) : (tensor<2x5xf16>, tensor<2x5xf16>) -> tensor<2x5xi1>
    func.return
  }
  func.func @graph_2(%0: tensor<3x4xi32>, %1: tensor<3x4xi32>) {
    %2 = qti_aisw.ElementWiseLess(%0, %1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    func.return
  }
  func.func @graph_3(%0: tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<4x!quant.uniform<u8:f32, 2.000000e-02:128>>) {
    %2 = qti_aisw.ElementWiseLess(%0, %1) : (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<3x4xi1>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>, tensor<4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>, %1: tensor<4xf32>):
    %y = "qti_aisw.ElementWiseLess"(%0, %1) : (tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x5xf16>, tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>, %1: tensor<2x5xf16>):
    %2 = "qti_aisw.ElementWiseLess"(%0, %1) : (tensor<2x5xf16>, tensor<2x5xf16>) -> tensor<2x5xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x4xi32>, tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<3x4xi32>, %1: tensor<3x4xi32>):
    %2 = "qti_aisw.ElementWiseLess"(%0, %1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<4x!quant.uniform<u8:f32, 2.000000e-02:128>>):
    %2 = "qti_aisw.ElementWiseLess"(%0, %1) : (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<3x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
