builtin.module attributes {htp.resources = {file = "resources.safetensors", sha256 = "c1769d685f67b2a60ffc90b8d8cb7b6200b956bcc5aa5f0971188ecda33b24d2"}} {
  func.func @main(%x: tensor<3xf32> {htp.name = "x"}) -> (tensor<3x4xf32> {htp.name = "y"}, tensor<12xi1> {htp.name = "flags"}, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>> {htp.name = "q"}) {
    %0 = qti_aisw.Const dense_resource<constant_0> : tensor<3x4xf32> -> tensor<3x4xf32>
    %1 = qti_aisw.Const dense_resource<constant_1> : tensor<12xi1> -> tensor<12xi1>
    %2 = qti_aisw.Const dense_resource<constant_2> : tensor<2x3xui8> -> tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return %0, %1, %2 : tensor<3x4xf32>, tensor<12xi1>, tensor<2x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
  }
}
