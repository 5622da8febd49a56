// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=TILING-1},htp-fold,dce' --split-input-file | filecheck %s

// Adding one constant per channel is a BiasAdd, on whichever side it stands; behind a layer it
// joins the bias that is there, at compile time.

// CHECK-LABEL: func.func @alone
// CHECK:       %[[ONCE:.*]] = htp.BiasAdd(%[[X:.*]], %{{.*}})
// CHECK:       htp.BiasAdd(%[[ONCE]], %{{.*}})
// CHECK-NOT:   htp.Add
func.func @alone(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %b = qti_aisw.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.ElementWiseAdd(%x, %b) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = qti_aisw.ElementWiseAdd(%b, %0) : (tensor<2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  func.return %1 : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: func.func @joined
// CHECK:       %[[SUM:.*]] = htp.Const dense<{{\[\[\[\[}}1.5{{.*}}, 2.5{{.*}}]]]]>
// CHECK:       htp.ConvLayer_valid({{.*}}, %[[SUM]])
// CHECK-NOT:   htp.BiasAdd
func.func @joined(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x2x2xf32> -> tensor<3x3x2x2xf32>
  %a = qti_aisw.Const dense<0.5> : tensor<2xf32> -> tensor<2xf32>
  %b = qti_aisw.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w, bias = %a) : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = qti_aisw.ElementWiseAdd(%0, %b) : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  func.return %1 : tensor<1x2x2x2xf32>
}

// -----

// A layer that somebody else reads stays as it is: fusing would run it twice.

// CHECK-LABEL: func.func @shared
// CHECK:       %[[Y:.*]] = htp.ConvLayer_valid
// CHECK:       htp.BiasAdd(%[[Y]], %{{.*}})
// CHECK-NOT:   htp.ConvLayer_valid
func.func @shared(%x: tensor<1x4x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x2x2xf32> -> tensor<3x3x2x2xf32>
  %b = qti_aisw.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = qti_aisw.ElementWiseAdd(%0, %b) : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  func.return %0, %1 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}
