builtin.module {
  func.func @graph_0(%0: tensor<4x8xf32>) {
    %y, %i = qti_aisw.TopK(%0) {k = 3 : i64, largest = false} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    func.return
  }
  func.func @graph_1(%0: tensor<3x9xf16>) {
    %1, %2 = qti_aisw.TopK(%0) {k = 4 : i64, largest = false} : (tensor<3x9xf16>) -> (tensor<3x4xf16>, tensor<3x4xi32>)
    func.return
  }
  func.func @graph_2(%0: tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1, %2 = qti_aisw.TopK(%0) {k = 4 : i64, largest = false} : (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x4xi32>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<4x8xf32>):
    %y, %i = "qti_aisw.TopK"(%0) <{k = 3 : i64, largest = false}> : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<3x9xf16>) -> ()}> ({
  ^bb0(%0: tensor<3x9xf16>):
    %1, %2 = "qti_aisw.TopK"(%0) <{k = 4 : i64, largest = false}> : (tensor<3x9xf16>) -> (tensor<3x4xf16>, tensor<3x4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1, %2 = "qti_aisw.TopK"(%0) <{k = 4 : i64, largest = false}> : (tensor<3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<3x4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
