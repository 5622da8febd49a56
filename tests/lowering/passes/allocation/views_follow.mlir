// RUN: htp-opt %s -p 'htp-assign-places{tcm-bytes=49152},htp-realise-places{tcm-bytes=49152},htp-allocate{tcm-bytes=49152}' | filecheck %s

// The Relu needs all of the TCM, so what Tanh made leaves it although a Reshape of that is still to
// be read. The Reshape is made again of what came back, in the bytes where it is by then.

func.func @main(%x: tensor<1x8x16x32xf32> {htp.name = "x"}, %y: tensor<1x8x24x32xf32> {htp.name = "y"}) -> (tensor<1x16x8x32xf32> {htp.name = "sum"}, tensor<1x8x24x32xf32> {htp.name = "relu"}) {
  %x0 = htp.Reshape(%x) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  %y0 = htp.Reshape(%y) : (tensor<1x8x24x32xf32>) -> tensor<1x8x24x32xf32>
  %a = htp.Tanh(%x0) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
  %v = htp.Reshape(%a) : (tensor<1x8x16x32xf32>) -> tensor<1x16x8x32xf32>
  %n = htp.Abs(%v) : (tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32>
  %b = htp.Relu(%y0) : (tensor<1x8x24x32xf32>) -> tensor<1x8x24x32xf32>
  %s = htp.Add(%n, %v) : (tensor<1x16x8x32xf32>, tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32>
  %s0 = htp.Reshape(%s) : (tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32>
  %b0 = htp.Reshape(%b) : (tensor<1x8x24x32xf32>) -> tensor<1x8x24x32xf32>
  func.return %s0, %b0 : tensor<1x16x8x32xf32>, tensor<1x8x24x32xf32>
}

// CHECK:      %[[MADE:.*]] = htp.Tanh({{.*}} -> tensor<1x8x16x32xf32, #htp.place<flat, tcm, [[AT:.*]]>>
// CHECK:      %[[FIRST:.*]] = htp.Reshape(%[[MADE]]) {{.*}} -> tensor<1x16x8x32xf32, #htp.place<flat, tcm, [[AT]]>>
// CHECK:      %[[ABS:.*]] = htp.Abs(%[[FIRST]])
// CHECK:      htp.Spill(%[[MADE]])
// CHECK:      htp.Relu
// CHECK:      %[[BACK:.*]] = htp.Fill({{.*}} -> tensor<1x8x16x32xf32, #htp.place<flat, tcm, [[NEW:.*]]>>
// CHECK:      %[[AGAIN:.*]] = htp.Reshape(%[[BACK]]) {{.*}} -> tensor<1x16x8x32xf32, #htp.place<flat, tcm, [[NEW]]>>
// CHECK:      htp.Add({{.*}}, %[[AGAIN]])
