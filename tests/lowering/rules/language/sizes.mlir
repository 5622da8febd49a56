// RUN: htp-opt %s --package %S/sizes.cpp -p htp-rules,dce | filecheck %s

// A rule asks for the sizes of a node by the name of a dim or by its number; sizes.cpp has such a
// rule, which shows the language and keeps no numbers. The first Neg is 32 deep, the second 4.

// CHECK: %[[X:.*]] = htp.Reshape(%x)
// CHECK: htp.Abs(%[[X]])
// CHECK: %[[Y:.*]] = htp.Reshape(%y)
// CHECK: htp.Neg(%[[Y]])
func.func @main(%x: tensor<1x4x8x32xf32>, %y: tensor<1x4x8x4xf32>) -> (tensor<1x4x8x32xf32>, tensor<1x4x8x4xf32>) {
  %0 = htp.Reshape(%x) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %1 = htp.Neg(%0) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %3 = htp.Reshape(%y) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %4 = htp.Neg(%3) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %5 = htp.Reshape(%4) : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  func.return %2, %5 : tensor<1x4x8x32xf32>, tensor<1x4x8x4xf32>
}
