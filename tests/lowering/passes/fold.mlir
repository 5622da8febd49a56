// RUN: htp-opt %s -p 'htp-fold,dce' | filecheck %s

// Ops over constants are run at compile time; what reads an input stays, and so does the Reshape
// in front of a result, which carries the signature.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:  %[[X:.*]] = htp.Reshape(%x)
// CHECK-NEXT:  %[[TURNED:.*]] = htp.Const dense<{{\[\[\[\[}}1.0{{.*}}, -3.0{{.*}}], [-2.0{{.*}}, 4.0{{.*}}]]]]>
// CHECK-NEXT:  %[[PRODUCT:.*]] = htp.Mul(%[[X]], %[[TURNED]])
// CHECK-NEXT:  %[[SUM:.*]] = htp.Reshape(%[[PRODUCT]])
// CHECK-NEXT:  %[[ALONE:.*]] = htp.Reshape(%[[TURNED]])
// CHECK-NEXT:  func.return %[[SUM]], %[[ALONE]]
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = htp.Reshape(%x) : (tensor<2x2xf32>) -> tensor<1x1x2x2xf32>
  %c = htp.Const dense<[[[[-1.0, 2.0], [3.0, -4.0]]]]> : tensor<1x1x2x2xf32> -> tensor<1x1x2x2xf32>
  %perm = htp.Const dense<[[[[0, 1, 3, 2]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %t = htp.Transpose(%c, %perm) : (tensor<1x1x2x2xf32>, tensor<1x1x1x4xi32>) -> tensor<1x1x2x2xf32>
  %n = htp.Neg(%t) : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %1 = htp.Mul(%0, %n) : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x2x2xf32>) -> tensor<2x2xf32>
  %3 = htp.Reshape(%n) : (tensor<1x1x2x2xf32>) -> tensor<2x2xf32>
  func.return %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>
}
