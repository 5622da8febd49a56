// RUN: htp-opt %s | filecheck %s
// RUN: htp-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --print-op-generic | htp-opt | filecheck %s

// CHECK-LABEL: func.func @layer
func.func @layer(%x: tensor<8x8x32xf32>) -> tensor<6x6x64xf32> {
  // Reshape alone takes any rank: it stands just inside the signature.
  // CHECK: %[[X:.*]] = htp.Reshape(%{{.*}}) : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %in = htp.Reshape(%x) : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %w = htp.Const dense<0.5> : tensor<3x3x32x64xf32> -> tensor<3x3x32x64xf32>
  %b = htp.Const dense<1.0> : tensor<1x1x1x64xf32> -> tensor<1x1x1x64xf32>
  // CHECK: %[[S:.*]] = htp.Shape : !htp.shape<1x1x1x1>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  // CHECK: %[[Y:.*]] = htp.ConvLayer_valid(%[[X]], %{{.*}}, %[[S]], %{{.*}}) {kernel = "conv"} :
  // GENERIC: "htp.ConvLayer_valid"({{.*}}) <{kernel = "conv"}> :
  %y = htp.ConvLayer_valid(%in, %w, %s, %b) {kernel = "conv"}
    : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x64xf32>)
    -> tensor<1x6x6x64xf32>
  // CHECK: htp.Reshape(%[[Y]])
  %out = htp.Reshape(%y) : (tensor<1x6x6x64xf32>) -> tensor<6x6x64xf32>
  func.return %out : tensor<6x6x64xf32>
}
