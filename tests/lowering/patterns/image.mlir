// RUN: htp-opt %s -p 'htp-rules{last=EARLY-1},dce' | filecheck %s

// A Resize that repeats pixels, and blocks of pixels, say their factor as a shape, so that tiles can
// begin where it says. What interpolates states where its rows and columns lie between those of the
// image: extent, step, start, unit and reach.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x16x16x32xf32>) -> (tensor<1x32x64x32xf32>, tensor<1x32x32x32xf32>, tensor<1x48x48x32xf32>, tensor<1x32x32x8xf32>) {
  %double = htp.Const dense<32> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %triple = htp.Const dense<48> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %wide = htp.Const dense<[[[[32, 64]]]]> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %two = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %zero = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %one = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %cubic = htp.Const dense<-7.5e-01> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  // CHECK: %[[FACTOR:.*]] = htp.Shape : !htp.shape<1x2x4x1>
  // CHECK: htp.ResizeNearestNeighbor_shape(%x, %[[FACTOR]])
  %0 = htp.Resize(%x, %wide, %zero, %zero, %zero, %zero, %cubic) : (tensor<1x16x16x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x32x64x32xf32>
  // CHECK: %[[DOUBLE:.*]] = htp.Const dense<{{\[+}}32, 2, -1, 4, 1{{\]+}}>
  // CHECK: htp.Resize_places(%x, %[[DOUBLE]],
  %1 = htp.Resize(%x, %double, %one, %zero, %zero, %zero, %cubic) : (tensor<1x16x16x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x32x32x32xf32>
  // CHECK: %[[TRIPLE:.*]] = htp.Shape : !htp.shape<1x3x3x1>
  // CHECK: htp.ResizeNearestNeighbor_shape(%x, %[[TRIPLE]])
  %2 = htp.Resize(%x, %triple, %zero, %zero, %zero, %zero, %cubic) : (tensor<1x16x16x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x48x48x32xf32>
  // CHECK: htp.DepthToSpace_shape(%x, %{{.*}}, %{{.*}})
  %3 = htp.DepthToSpace(%x, %two, %zero) : (tensor<1x16x16x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x32x32x8xf32>
  func.return %0, %1, %2, %3 : tensor<1x32x64x32xf32>, tensor<1x32x32x32xf32>, tensor<1x48x48x32xf32>, tensor<1x32x32x8xf32>
}
