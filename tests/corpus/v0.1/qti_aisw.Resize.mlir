builtin.module {
  func.func @graph_0(%0: tensor<1x8x8x4xf32>) {
    %y = qti_aisw.Resize(%0) {size = array<i64: 16, 16>} : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<1x6x6x3xf16>) {
    %1 = qti_aisw.Resize(%0) {size = array<i64: 12, 12>, interpolation_mode = 1 : i64} : (tensor<1x6x6x3xf16>) -> tensor<1x12x12x3xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    %1 = qti_aisw.Resize(%0) {size = array<i64: 12, 12>, interpolation_mode = 1 : i64} : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x8x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x8x4xf32>):
    %y = "qti_aisw.Resize"(%0) <{size = array<i64: 16, 16>, interpolation_mode = 0 : i64, transformation_mode = 0 : i64, nearest_mode = 0 : i64, exclude_outside = false, cubic_coeff = -7.500000e-01 : f32}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<1x6x6x3xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3xf16>):
    %1 = "qti_aisw.Resize"(%0) <{size = array<i64: 12, 12>, interpolation_mode = 1 : i64, transformation_mode = 0 : i64, nearest_mode = 0 : i64, exclude_outside = false, cubic_coeff = -7.500000e-01 : f32}> : (tensor<1x6x6x3xf16>) -> tensor<1x12x12x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    %1 = "qti_aisw.Resize"(%0) <{size = array<i64: 12, 12>, interpolation_mode = 1 : i64, transformation_mode = 0 : i64, nearest_mode = 0 : i64, exclude_outside = false, cubic_coeff = -7.500000e-01 : f32}> : (tensor<1x6x6x3x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<1x12x12x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
