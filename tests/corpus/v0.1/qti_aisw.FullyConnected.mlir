builtin.module {
  func.func @graph_0(%0: tensor<1x64xf32>, %1: tensor<10x64xf32>, %2: tensor<10xf32>) {
    %y = qti_aisw.FullyConnected(%0, %1, bias = %2) : (tensor<1x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<1x10xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: tensor<6x!quant.uniform<i32:f32, 1.000000e-03>>) {
    %3 = qti_aisw.FullyConnected(%0, %1, bias = %2) : (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<6x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<3x6x!quant.uniform<u8:f32, 1.000000e-01:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x64xf32>, %1: tensor<10x64xf32>, %2: tensor<10xf32>):
    %y = "qti_aisw.FullyConnected"(%0, %1, %2) : (tensor<1x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<1x10xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<6x!quant.uniform<i32:f32, 1.000000e-03>>) -> ()}> ({
  ^bb0(%0: tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, %2: tensor<6x!quant.uniform<i32:f32, 1.000000e-03>>):
    %3 = "qti_aisw.FullyConnected"(%0, %1, %2) : (tensor<3x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<6x8x!quant.uniform<u8:f32, 2.000000e-02:128>>, tensor<6x!quant.uniform<i32:f32, 1.000000e-03>>) -> tensor<3x6x!quant.uniform<u8:f32, 1.000000e-01:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
