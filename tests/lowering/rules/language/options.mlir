// RUN: htp-opt %s --package %S/options.cpp -p 'htp-rules,dce' | filecheck %s --check-prefix NEITHER
// RUN: htp-opt %s --package %S/options.cpp -p 'htp-rules{options="tile_height=4"},dce' | filecheck %s --check-prefix HEIGHT
// RUN: htp-opt %s --package %S/options.cpp -p 'htp-rules{options="relaxed_precision_flag=1"},dce' | filecheck %s --check-prefix FLAG

// A rule may ask for a graph option, and be there only where a flag is on; options.cpp has both,
// which show the language and keep no numbers. The Neg is 4 rows high.

// NEITHER: htp.Neg
// HEIGHT:  htp.Abs
// FLAG:    htp.Relu
func.func @main(%x: tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %1 = htp.Neg(%0) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  func.return %2 : tensor<1x4x8x4xf32>
}
