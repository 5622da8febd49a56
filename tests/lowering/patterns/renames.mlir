// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=QNN},dce' | filecheck %s

// What the graph calls ElementWise* the core calls by a short name; ReluMinMax is a Clamp. Ops
// that the core has under the graph's own name stay as they are.

// CHECK-LABEL: func.func @main
// CHECK:       %[[SUM:.*]] = htp.Add(%[[X:.*]], %[[Y:.*]]) :
// CHECK-NEXT:  %[[ROOT:.*]] = htp.Sqrt(%[[SUM]])
// CHECK-NEXT:  %[[MORE:.*]] = htp.Greater(%[[ROOT]], %[[Y]]) : {{.*}} -> tensor<1x1x2x4xi1>
// CHECK-NEXT:  %[[TAKEN:.*]] = htp.Select(%[[MORE]], %[[ROOT]], %[[Y]])
// CHECK:       %[[BOUND:.*]] = htp.Clamp(%[[TAKEN]], %{{.*}}, %{{.*}})
// CHECK-NEXT:  htp.Gelu(%[[BOUND]])
func.func @main(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = qti_aisw.ElementWiseAdd(%x, %y) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = qti_aisw.ElementWiseSquareRoot(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = qti_aisw.ElementWiseGreater(%1, %y) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %3 = qti_aisw.ElementWiseSelect(%2, %1, %y) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = qti_aisw.ReluMinMax(%3) {max_value = 6.0 : f32, min_value = 0.0 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = qti_aisw.Gelu(%4) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %5 : tensor<2x4xf32>
}
