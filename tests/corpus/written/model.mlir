func.func @main(%x: tensor<1x1x8xf32> {htp.name = "x"}, %reset: tensor<i1> {htp.name = "reset"}) -> (tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "window"}, tensor<1x4xf32> {htp.name = "score"}) {
  %0 = qti_aisw.Buffer(%x, reset = %reset) {buffer_dim = 1 : i64, buffer_size = 4 : i64, htp.name = "keep", mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>} : (tensor<1x1x8xf32>, tensor<i1>) -> tensor<1x4x8xf32>
  %1 = qti_aisw.Quantize(%0) {to = !quant.uniform<u8:f32, 5.000000e-02:128>} : (tensor<1x4x8xf32>) -> tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>
  %2 = qti_aisw.Relu(%0) : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %3 = qti_aisw.ReduceSum(%2) {axes = array<i64: 2>, keep_dims = false} : (tensor<1x4x8xf32>) -> tensor<1x4xf32>
  func.return %1, %3 : tensor<1x4x8x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x4xf32>
}
