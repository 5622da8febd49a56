// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{last=EARLY-1},htp-fold,dce' | filecheck %s

// A product with one constant matrix is a FullyConnected, whose weights have a row per output:
// weights that are not so already are turned at compile time. Two inputs stay a MatMul.

// CHECK-LABEL: func.func @main
// CHECK:       %[[A:.*]] = htp.Reshape(%a)
// CHECK-DAG:   %[[TURNED:.*]] = htp.Const dense<{{\[\[\[\[}}1.0{{.*}}, 4.0{{.*}}], [2.0{{.*}}, 5.0{{.*}}], [3.0{{.*}}, 6.0{{.*}}]]]]>
// CHECK-DAG:   %[[GIVEN:.*]] = htp.Const dense<{{\[\[\[\[}}1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}], [4.0{{.*}}
// CHECK:       %[[WIDE:.*]] = htp.FullyConnected(%[[A]], %[[TURNED]], %{{.*}}) : {{.*}} -> tensor<1x1x5x3xf32>
// CHECK:       %[[BACK:.*]] = htp.FullyConnected(%[[WIDE]], %[[GIVEN]], %{{.*}}) : {{.*}} -> tensor<1x1x5x2xf32>
// CHECK:       htp.MatMul(%[[BACK]], %[[A]], %{{.*}}, %{{.*}}) : {{.*}} -> tensor<1x1x5x5xf32>
func.func @main(%a: tensor<5x2xf32>) -> tensor<5x5xf32> {
  %w = qti_aisw.Const dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32> -> tensor<2x3xf32>
  %0 = qti_aisw.MatMul(%a, %w) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %1 = qti_aisw.MatMul(%0, %w) {transpose_in1 = true} : (tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<5x2xf32>
  %2 = qti_aisw.MatMul(%1, %a) {transpose_in1 = true} : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x5xf32>
  func.return %2 : tensor<5x5xf32>
}
