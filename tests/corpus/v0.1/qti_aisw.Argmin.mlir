builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.Argmin(%0) {axis = -1 : i64, keep_dims = true} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x1xi32>
    func.return
  }
  func.func @graph_1(%0: tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Argmin(%0) {axis = 1 : i64} : (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3xi32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.Argmin"(%0) <{axis = -1 : i64, keep_dims = true}> : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x1xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Argmin"(%0) <{axis = 1 : i64, keep_dims = false}> : (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<3xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
