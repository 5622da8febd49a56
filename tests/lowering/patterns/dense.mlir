// RUN: htp-opt %s -p 'htp-rules{last=TILING-1},htp-fold,dce' | filecheck %s

// A dense layer takes up the bias that is added to it, and then the bounds of what it gives.

// CHECK: %[[BIAS:.*]] = htp.Const dense<1.5{{.*}}> : tensor<1x1x1x8xf32>
// CHECK: htp.FullyConnected.clamp(%{{.*}}, %{{.*}}, %[[BIAS]], %{{.*}}, %{{.*}})
// CHECK-NOT: htp.BiasAdd
func.func @main(%x: tensor<4x32xf32>, %w: tensor<8x32xf32>) -> tensor<4x8xf32> {
  %0 = htp.Reshape(%x) : (tensor<4x32xf32>) -> tensor<1x1x4x32xf32>
  %1 = htp.Reshape(%w) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
  %b = htp.Const dense<0.5> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32>
  %c = htp.Const dense<1.0> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32>
  %low = htp.Const dense<0.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %high = htp.Const dense<6.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %2 = htp.FullyConnected(%0, %1, %b) : (tensor<1x1x4x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
  %3 = htp.Add(%2, %c) : (tensor<1x1x4x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>
  %4 = htp.Clamp(%3, %low, %high) : (tensor<1x1x4x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x8xf32>
  %5 = htp.Reshape(%4) : (tensor<1x1x4x8xf32>) -> tensor<4x8xf32>
  func.return %5 : tensor<4x8xf32>
}
