// RUN: htp-opt %s -p 'htp-rules{last=EARLY-1},dce' | filecheck %s

// Two groups of channels take turns: the depth falls into 2 x 3, and comes back as 3 x 2. That is a
// Gather of the depth. Where rows move, too, the Transpose stays.

// CHECK-LABEL: func.func @main
func.func @main(%image: tensor<1x4x5x6xf32>) -> (tensor<1x4x5x6xf32>, tensor<1x4x5x6xf32>) {
  %depth = htp.Const dense<[[[[0, 1, 3, 2]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %rows = htp.Const dense<[[[[0, 2, 1, 3]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %x = htp.Relu(%image) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  // CHECK: %[[ORDER:.*]] = htp.Const dense<{{\[+}}0, 3, 1, 4, 2, 5{{\]+}}>
  // CHECK: htp.Gather(%{{.*}}, %[[ORDER]], %{{.*}})
  %0 = htp.Reshape(%x) : (tensor<1x4x5x6xf32>) -> tensor<1x20x2x3xf32>
  %1 = htp.Transpose(%0, %depth) : (tensor<1x20x2x3xf32>, tensor<1x1x1x4xi32>) -> tensor<1x20x3x2xf32>
  %2 = htp.Reshape(%1) : (tensor<1x20x3x2xf32>) -> tensor<1x4x5x6xf32>
  // CHECK: htp.Transpose(%{{.*}}, %rows)
  %3 = htp.Reshape(%x) : (tensor<1x4x5x6xf32>) -> tensor<1x20x2x3xf32>
  %4 = htp.Transpose(%3, %rows) : (tensor<1x20x2x3xf32>, tensor<1x1x1x4xi32>) -> tensor<1x2x20x3xf32>
  %5 = htp.Reshape(%4) : (tensor<1x2x20x3xf32>) -> tensor<1x4x5x6xf32>
  %6 = htp.Relu(%2) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  %7 = htp.Relu(%5) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  func.return %6, %7 : tensor<1x4x5x6xf32>, tensor<1x4x5x6xf32>
}
