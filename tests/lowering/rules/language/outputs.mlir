// RUN: htp-opt %s --package %S/outputs.cpp -p htp-rules,dce | filecheck %s

// What a replacement builds has the shape and dtype of the root, at every depth; WITH_SAME_OUTPUT gives it
// those of another node. outputs.cpp has one rule of each kind.

// CHECK: %[[SUM:.*]] = htp.ReduceSum({{.*}} -> tensor<1x1x1x1xf32>
// CHECK: htp.Neg(%[[SUM]]) : {{.*}} -> tensor<1x1x1x1xf32>
// CHECK: %[[WIDE:.*]] = htp.Relu({{.*}} -> tensor<1x1x1x4xf32>
// CHECK: htp.ReduceSum(%[[WIDE]], {{.*}} -> tensor<1x1x1x1xf32>
func.func @main(%x: tensor<1x1x1x4xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %axes = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %1 = htp.Neg(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.ReduceSum(%1, %axes) : (tensor<1x1x1x4xf32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xf32>
  %3 = htp.Abs(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = htp.ReduceSum(%3, %axes) : (tensor<1x1x1x4xf32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xf32>
  %5 = htp.Reshape(%2) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %6 = htp.Reshape(%4) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  func.return %5, %6 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
