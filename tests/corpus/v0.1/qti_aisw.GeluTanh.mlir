builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.GeluTanh(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x5xf16>) {
    %1 = qti_aisw.GeluTanh(%0) : (tensor<2x5xf16>) -> tensor<2x5xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.GeluTanh(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x7x!quant.uniform<u8:f32, 4.000000e-02:100>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.GeluTanh"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x5xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x5xf16>):
    %1 = "qti_aisw.GeluTanh"(%0) : (tensor<2x5xf16>) -> tensor<2x5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.GeluTanh"(%0) : (tensor<3x7x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3x7x!quant.uniform<u8:f32, 4.000000e-02:100>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
