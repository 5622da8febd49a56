// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING-1},dce' --split-input-file | filecheck %s

// A layer takes up the activation behind it: Relu is a clamp from 0, Relu6 one from 0 to 6, and a
// dense layer has a form with Gelu. Tanh stays.

// CHECK-LABEL: func.func @main
// CHECK:       %[[ZERO:.*]] = htp.Const dense<0.0{{.*}}> : tensor<1x1x1x1xf32>
// CHECK:       %[[NOEND:.*]] = htp.Const dense<"0x0000807F"> : tensor<1x1x1x1xf32>
// CHECK:       %[[A:.*]] = htp.ConvLayer_valid.clamp({{.*}}, %[[ZERO]], %[[NOEND]])
// CHECK:       %[[B:.*]] = htp.DepthwiseConvLayer_valid.clamp({{.*}})
// CHECK:       %[[C:.*]] = htp.FullyConnected.gelu(%[[B]], {{.*}})
// CHECK:       %[[D:.*]] = htp.FullyConnected(%[[C]], {{.*}})
// CHECK:       htp.Tanh(%[[D]])
// CHECK-NOT:   htp.Relu
// CHECK-NOT:   htp.Gelu
func.func @main(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x2xf32>, %v: tensor<1x1x1x2xf32>, %f: tensor<2x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = qti_aisw.DepthWiseConv2d(%1, %v) : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = qti_aisw.ReluMinMax(%2) {max_value = 6.0 : f32, min_value = 0.0 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = qti_aisw.FullyConnected(%3, %f) : (tensor<1x4x4x2xf32>, tensor<2x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = qti_aisw.Gelu(%4) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = qti_aisw.FullyConnected(%5, %f) : (tensor<1x4x4x2xf32>, tensor<2x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = qti_aisw.Tanh(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  func.return %7 : tensor<1x4x4x2xf32>
}

// -----
// A grid of its own rounds the layer first: only a Relu on the layer's grid is taken up, and no Gelu.

// CHECK-LABEL: func.func @grids
// CHECK:       htp.ConvLayer_valid.clamp
// CHECK:       htp.ConvLayer_valid(
// CHECK:       htp.Relu
// CHECK:       htp.FullyConnected(
// CHECK:       htp.Gelu
!coarse = !quant.uniform<u8:f32, 0.5:128>
!fine = !quant.uniform<u8:f32, 0.25:64>
func.func @grids(%x: tensor<1x4x4x2x!coarse>, %w: tensor<1x1x2x2x!coarse>, %f: tensor<2x2x!coarse>) -> tensor<1x4x4x2x!fine> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x2x!coarse>, tensor<1x1x2x2x!coarse>) -> tensor<1x4x4x2x!coarse>
  %1 = qti_aisw.Relu(%0) : (tensor<1x4x4x2x!coarse>) -> tensor<1x4x4x2x!coarse>
  %2 = qti_aisw.Conv2d(%1, %w) : (tensor<1x4x4x2x!coarse>, tensor<1x1x2x2x!coarse>) -> tensor<1x4x4x2x!coarse>
  %3 = qti_aisw.Relu(%2) : (tensor<1x4x4x2x!coarse>) -> tensor<1x4x4x2x!fine>
  %4 = qti_aisw.FullyConnected(%3, %f) : (tensor<1x4x4x2x!fine>, tensor<2x2x!coarse>) -> tensor<1x4x4x2x!fine>
  %5 = qti_aisw.Gelu(%4) : (tensor<1x4x4x2x!fine>) -> tensor<1x4x4x2x!fine>
  func.return %5 : tensor<1x4x4x2x!fine>
}
