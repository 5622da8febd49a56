builtin.module {
  func.func @graph_0(%0: tensor<4x8x!quant.uniform<u8:f32, 5.000000e-01:128>>) {
    %y = qti_aisw.Dequantize(%0) : (tensor<4x8x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<4x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>) {
    %1 = qti_aisw.Dequantize(%0) : (tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>) -> tensor<2x3xf32>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) {
    %1 = qti_aisw.Dequantize(%0) : (tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> tensor<2x3xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> ()}> ({
  ^bb0(%0: tensor<4x8x!quant.uniform<u8:f32, 5.000000e-01:128>>):
    %y = "qti_aisw.Dequantize"(%0) : (tensor<4x8x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>):
    %1 = "qti_aisw.Dequantize"(%0) : (tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>) -> tensor<2x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> ()}> ({
  ^bb0(%0: tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>):
    %1 = "qti_aisw.Dequantize"(%0) : (tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>) -> tensor<2x3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
