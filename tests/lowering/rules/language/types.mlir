// RUN: htp-opt %s --package %S/types.cpp -p htp-rules,dce | filecheck %s

// A rule asks for the dtype, and for scale and zero point; types.cpp has such rules,
// which show the language and keep no numbers. The last Neg has a scale of its own: nothing fires there.

// CHECK: htp.Abs({{.*}}) : {{.*}} -> tensor<1x1x1x4x!quant.uniform<u8:f32, 5.000000e-01:128>>
// CHECK: htp.Relu({{.*}}) : {{.*}} -> tensor<1x1x1x4xf32>
// CHECK: htp.Neg({{.*}}) : {{.*}} -> tensor<1x1x1x4x!quant.uniform<u8:f32, 2.500000e-01:128>>
func.func @main(%q: tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>, %f: tensor<1x1x1x4xf32>) -> (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>, tensor<1x1x1x4xf32>, tensor<1x1x1x4x!quant.uniform<u8:f32, 0.25:128>>) {
  %0 = htp.Reshape(%q) : (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>
  %1 = htp.Reshape(%f) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Neg(%0) : (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>
  %3 = htp.Neg(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = htp.Neg(%0) : (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<1x1x1x4x!quant.uniform<u8:f32, 0.25:128>>
  %5 = htp.Reshape(%2) : (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>
  %6 = htp.Reshape(%3) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %7 = htp.Reshape(%4) : (tensor<1x1x1x4x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<1x1x1x4x!quant.uniform<u8:f32, 0.25:128>>
  func.return %5, %6, %7 : tensor<1x1x1x4x!quant.uniform<u8:f32, 0.5:128>>, tensor<1x1x1x4xf32>, tensor<1x1x1x4x!quant.uniform<u8:f32, 0.25:128>>
}
