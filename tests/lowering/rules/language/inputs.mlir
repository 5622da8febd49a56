// RUN: htp-opt %s --package %S/inputs.cpp -p htp-rules,dce | filecheck %s

// LET names what an inner op gives, INPUT_OF goes back over an op, OpVarIn takes any number of inputs;
// inputs.cpp has the rules. y + -x becomes y - x; the Concat of one part goes, that of two stays.

// CHECK: %[[X:.*]] = htp.Reshape(%x)
// CHECK: %[[Y:.*]] = htp.Reshape(%y)
// CHECK: %[[DIFF:.*]] = htp.Sub(%[[Y]], %[[X]])
// CHECK: htp.Concat(%{{.*}}, %[[DIFF]], %[[X]])
// CHECK-NOT: htp.Concat
func.func @main(%x: tensor<1x1x1x4xf32>, %y: tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Reshape(%y) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %2 = htp.Neg(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = htp.Add(%2, %1) : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = htp.Concat(%axis, %3) : (tensor<1x1x1x1xi32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %5 = htp.Concat(%axis, %4, %0) : (tensor<1x1x1x1xi32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
  %6 = htp.Reshape(%5) : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  func.return %6 : tensor<1x2x1x4xf32>
}
