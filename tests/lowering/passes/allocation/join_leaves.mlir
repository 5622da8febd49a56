// RUN: htp-opt %s -p 'htp-assign-places{tcm-bytes=49152},htp-realise-places{tcm-bytes=49152},htp-allocate{tcm-bytes=49152}' | filecheck %s

// Both parts of a join are written into their places in it, and the join stands behind a Softmax
// that needs all of the TCM. What is joined leaves before that, so the join is made in front of it.

func.func @main(%x: tensor<1x4x16x32xf32> {htp.name = "x"}, %y: tensor<1x8x24x32xf32> {htp.name = "y"}) -> (tensor<1x8x16x32xf32> {htp.name = "abs"}, tensor<1x8x24x32xf32> {htp.name = "softmax"}) {
  %x0 = htp.Reshape(%x) : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
  %y0 = htp.Reshape(%y) : (tensor<1x8x24x32xf32>) -> tensor<1x8x24x32xf32>
  %a = htp.Tanh(%x0) : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
  %b = htp.Neg(%a) : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %beta = htp.Const dense<1.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %r = htp.Softmax(%y0, %axis, %beta) : (tensor<1x8x24x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x8x24x32xf32>
  %r0 = htp.Reshape(%r) : (tensor<1x8x24x32xf32>) -> tensor<1x8x24x32xf32>
  %j = htp.Concat(%axis, %a, %b) : (tensor<1x1x1x1xi32>, tensor<1x4x16x32xf32>, tensor<1x4x16x32xf32>) -> tensor<1x8x16x32xf32>
  %s = htp.Abs(%j) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  %s0 = htp.Reshape(%s) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  func.return %s0, %r0 : tensor<1x8x16x32xf32>, tensor<1x8x24x32xf32>
}

// CHECK: htp.Neg
// CHECK: %[[JOINED:.*]] = htp.Concat({{.*}}) {in_place}
// CHECK: htp.Spill(%[[JOINED]])
// CHECK: htp.Softmax
// CHECK: %[[BACK:.*]] = htp.Fill(
// CHECK: htp.Abs(%[[BACK]])
