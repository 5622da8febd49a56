// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536}' | filecheck %s
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536 decoded=true}' | filecheck %s --check-prefix DECODED

// Weights of 8 KiB that stand for 64 KiB of floats. As they are, they leave room for all that the
// product reads and makes; with `decoded` they count as floats, and the product is cut.

// CHECK-NOT: htp.tile
// DECODED:   htp.CodedFullyConnected{{.*}}htp.tile
func.func @main(%x: tensor<1x1x32x128xf32>) -> tensor<1x1x32x128xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x32x128xf32>) -> tensor<1x1x32x128xf32>
  %c = htp.Const dense<33> : tensor<1x1x128x64xui8> -> tensor<1x1x128x64xui8>
  %t = htp.Const dense<1.0> : tensor<1x1x1x16xf32> -> tensor<1x1x1x16xf32>
  %s = htp.Const dense<0.5> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %z = htp.Const dense<8> : tensor<1x1x1x1xui8> -> tensor<1x1x1x1xui8>
  %b = htp.Const dense<0.0> : tensor<1x1x1x128xf32> -> tensor<1x1x1x128xf32>
  %1 = htp.CodedFullyConnected(%0, %c, %t, %s, %z, %b) : (tensor<1x1x32x128xf32>, tensor<1x1x128x64xui8>, tensor<1x1x1x16xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xui8>, tensor<1x1x1x128xf32>) -> tensor<1x1x32x128xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x32x128xf32>) -> tensor<1x1x32x128xf32>
  func.return %2 : tensor<1x1x32x128xf32>
}
