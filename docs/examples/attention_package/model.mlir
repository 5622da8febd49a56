func.func @main(%q: tensor<1x4x33x16xf32> {htp.name = "q"}, %k: tensor<1x4x65x16xf32> {htp.name = "k"},
    %v: tensor<1x4x65x8xf32> {htp.name = "v"}) -> (tensor<1x4x33x8xf32> {htp.name = "y"}) {
  %c = qti_aisw.Const dense<4.0> : tensor<f32> -> tensor<f32>
  %0 = qti_aisw.MatMul(%q, %k) {transpose_in1 = true}
    : (tensor<1x4x33x16xf32>, tensor<1x4x65x16xf32>) -> tensor<1x4x33x65xf32>
  %1 = qti_aisw.ElementWiseDivide(%0, %c) : (tensor<1x4x33x65xf32>, tensor<f32>) -> tensor<1x4x33x65xf32>
  %2 = qti_aisw.Softmax(%1) : (tensor<1x4x33x65xf32>) -> tensor<1x4x33x65xf32>
  %3 = qti_aisw.MatMul(%2, %v) : (tensor<1x4x33x65xf32>, tensor<1x4x65x8xf32>) -> tensor<1x4x33x8xf32>
  func.return %3 : tensor<1x4x33x8xf32>
}
