builtin.module {
  func.func @graph_0(%0: tensor<1x4x8x16xf32>, %1: tensor<1x4x32x16xf32>) {
    %y = qti_aisw.MatMul(%0, %1) {transpose_in1 = true} : (tensor<1x4x8x16xf32>, tensor<1x4x32x16xf32>) -> tensor<1x4x8x32xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3xi32>, %1: tensor<3x4xi32>) {
    %2 = qti_aisw.MatMul(%0, %1) : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
    func.return
  }
  func.func @graph_2(%0: tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<8x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) {
    %2 = qti_aisw.MatMul(%0, %1) : (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<8x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<3x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x4x8x16xf32>, tensor<1x4x32x16xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x4x8x16xf32>, %1: tensor<1x4x32x16xf32>):
    %y = "qti_aisw.MatMul"(%0, %1) <{transpose_in1 = true, transpose_in0 = false}> : (tensor<1x4x8x16xf32>, tensor<1x4x32x16xf32>) -> tensor<1x4x8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3xi32>, tensor<3x4xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3xi32>, %1: tensor<3x4xi32>):
    %2 = "qti_aisw.MatMul"(%0, %1) <{transpose_in0 = false, transpose_in1 = false}> : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<8x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<8x4x!quant.uniform<u8:f32, 2.000000e-02:128>>):
    %2 = "qti_aisw.MatMul"(%0, %1) <{transpose_in0 = false, transpose_in1 = false}> : (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<8x4x!quant.uniform<u8:f32, 2.000000e-02:128>>) -> tensor<3x4x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
