// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=262144}' | filecheck %s
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=262144 decoded=true}' | filecheck %s --check-prefix DECODED

// Filters of 40 KiB that stand for 162 KiB of floats. As they are, they leave room in 256 KiB for
// all that the layer reads and makes; with `decoded` they count as floats, and outputs are cut.

// CHECK:     htp.ConvLayer_valid(%0, %w, %s, %b) {htp.tile = []}
// DECODED:   htp.ConvLayer_valid(%0, %w, %s, %b) {htp.tile = [array<i64: 3, 64>]}
func.func @main(%x: tensor<1x14x14x48xf32>) -> tensor<1x12x12x96xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x14x14x48xf32>) -> tensor<1x14x14x48xf32>
  %w = htp.Const dense<3> : tensor<3x3x48x96xi8> -> tensor<3x3x48x96x!quant.uniform<i8:f32, 0.5>>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %b = htp.Const dense<0.0> : tensor<1x1x1x96xf32> -> tensor<1x1x1x96xf32>
  %1 = htp.ConvLayer_valid(%0, %w, %s, %b) : (tensor<1x14x14x48xf32>, tensor<3x3x48x96x!quant.uniform<i8:f32, 0.5>>, !htp.shape<1x1x1x1>, tensor<1x1x1x96xf32>) -> tensor<1x12x12x96xf32>
  %2 = htp.Reshape(%1) : (tensor<1x12x12x96xf32>) -> tensor<1x12x12x96xf32>
  func.return %2 : tensor<1x12x12x96xf32>
}
