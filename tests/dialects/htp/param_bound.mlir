// The numbers of an integer param are read one by one, so there is a bound on how many it may have.
// RUN: not htp-opt %s 2>&1 | filecheck %s

// CHECK: htp.ReduceSum: param 'axes' has 1048576 numbers, at most 65536 are taken
// CHECK-NOT: Traceback
func.func @main(%x: tensor<1x8x8x4xf32>) {
  %axes = htp.Const dense<3> : tensor<1x1x1024x1024xi32> -> tensor<1x1x1024x1024xi32>
  %0 = htp.ReduceSum(%x, %axes) : (tensor<1x8x8x4xf32>, tensor<1x1x1024x1024xi32>) -> tensor<1x8x8x1xf32>
  func.return
}
