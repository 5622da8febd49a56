builtin.module {
  func.func @graph_0(%0: tensor<2x4x8x8xf32>, %1: tensor<2x3xi32>) {
    %y = qti_aisw.MaskedSoftmax(%0, %1) {mode = #qti_aisw.mask_mode<COMPRESSED>} : (tensor<2x4x8x8xf32>, tensor<2x3xi32>) -> tensor<2x4x8x8xf32>
    func.return
  }
  func.func @graph_1(%0: tensor<2x3x6x6xf16>, %1: tensor<2x6xi32>) {
    %2 = qti_aisw.MaskedSoftmax(%0, %1) : (tensor<2x3x6x6xf16>, tensor<2x6xi32>) -> tensor<2x3x6x6xf16>
    func.return
  }
  func.func @graph_2(%0: tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x6xi32>) {
    %2 = qti_aisw.MaskedSoftmax(%0, %1) : (tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x6xi32>) -> tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-03:3>>
    func.return
  }
  func.func @graph_3(%0: tensor<2x3x6x6x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<2x6xi32>) {
    %2 = qti_aisw.MaskedSoftmax(%0, %1) : (tensor<2x3x6x6x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<2x6xi32>) -> tensor<2x3x6x6x!quant.uniform<u16:f32, 5.000000e-03:3>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<2x4x8x8xf32>, tensor<2x3xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x4x8x8xf32>, %1: tensor<2x3xi32>):
    %y = "qti_aisw.MaskedSoftmax"(%0, %1) <{mode = #qti_aisw.mask_mode<COMPRESSED>}> : (tensor<2x4x8x8xf32>, tensor<2x3xi32>) -> tensor<2x4x8x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x3x6x6xf16>, tensor<2x6xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3x6x6xf16>, %1: tensor<2x6xi32>):
    %2 = "qti_aisw.MaskedSoftmax"(%0, %1) <{mode = #qti_aisw.mask_mode<UNCOMPRESSED>}> : (tensor<2x3x6x6xf16>, tensor<2x6xi32>) -> tensor<2x3x6x6xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = (tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x6xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<2x6xi32>):
    %2 = "qti_aisw.MaskedSoftmax"(%0, %1) <{mode = #qti_aisw.mask_mode<UNCOMPRESSED>}> : (tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<2x6xi32>) -> tensor<2x3x6x6x!quant.uniform<u8:f32, 5.000000e-03:3>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = (tensor<2x3x6x6x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<2x6xi32>) -> ()}> ({
  ^bb0(%0: tensor<2x3x6x6x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<2x6xi32>):
    %2 = "qti_aisw.MaskedSoftmax"(%0, %1) <{mode = #qti_aisw.mask_mode<UNCOMPRESSED>}> : (tensor<2x3x6x6x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<2x6xi32>) -> tensor<2x3x6x6x!quant.uniform<u16:f32, 5.000000e-03:3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
