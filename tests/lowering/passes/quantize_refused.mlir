// RUN: not htp-opt %s -p 'qti-quantize{encodings="%S/encodings.json"}' 2>&1 | filecheck %s

// All encodings that do not fit the graph are told at once.

// CHECK:      2 errors:
// CHECK-NEXT:   encoding 'r': the graph has no such tensor; leave it out
// CHECK-NEXT:   encoding 'w': has 2 scales, its tensor 3 channels; give one scale, or one for each output channel
func.func @main(%x: tensor<1x2xf32> {htp.name = "x"}) -> (tensor<1x3xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<1.0> : tensor<3x2xf32> -> tensor<3x2xf32>
  %y = qti_aisw.FullyConnected(%x, %w) : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}
