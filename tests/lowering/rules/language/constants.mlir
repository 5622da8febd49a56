// RUN: htp-opt %s --package %S/constants.cpp -p htp-rules,dce | filecheck %s

// OPCONST matches a constant, CONSTVAL_* reads an element of it, gen_Const* makes one; constants.cpp has
// the rules. 3 * x becomes 1.5 * (x + x), 2 * x becomes x + x.

// CHECK: %[[X:.*]] = htp.Reshape(%x)
// CHECK: %[[SUM:.*]] = htp.Add(%[[X]], %[[X]])
// CHECK: %[[C:.*]] = htp.Const dense<1.5{{.*}}>
// CHECK: %[[Y:.*]] = htp.Mul(%[[SUM]], %[[C]])
// CHECK: htp.Add(%[[Y]], %[[Y]])
func.func @main(%x: tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  %3 = htp.Const dense<3.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %2 = htp.Const dense<2.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %y = htp.Mul(%0, %3) : (tensor<1x4x8x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x32xf32>
  %z = htp.Mul(%y, %2) : (tensor<1x4x8x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x32xf32>
  %1 = htp.Reshape(%z) : (tensor<1x4x8x32xf32>) -> tensor<1x4x8x32xf32>
  func.return %1 : tensor<1x4x8x32xf32>
}
