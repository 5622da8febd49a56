// RUN: htp-opt %s -p qti-equalize | filecheck %s

// Channel 0 reaches to 8 before and to 2 after: divided and multiplied by 2, both reach to 4. Channel
// 1 is even already. The first bias goes along.

// CHECK-LABEL: func.func @main
// CHECK-DAG:   qti_aisw.Const dense<{{\[\[}}4.0{{.*}}], [3.0{{.*}}]]> : tensor<2x1xf32>
// CHECK-DAG:   qti_aisw.Const dense<[1.0{{.*}}, 5.0{{.*}}]> : tensor<2xf32>
// CHECK-DAG:   qti_aisw.Const dense<{{\[\[}}4.0{{.*}}, 3.0{{.*}}]]> : tensor<1x2xf32>
func.func @main(%x: tensor<1x1xf32> {htp.name = "x"}) -> (tensor<1x1xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<[[8.0], [3.0]]> : tensor<2x1xf32> -> tensor<2x1xf32>
  %b = qti_aisw.Const dense<[2.0, 5.0]> : tensor<2xf32> -> tensor<2xf32>
  %v = qti_aisw.Const dense<[[2.0, 3.0]]> : tensor<1x2xf32> -> tensor<1x2xf32>
  %0 = qti_aisw.FullyConnected(%x, %w, bias = %b) : (tensor<1x1xf32>, tensor<2x1xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = qti_aisw.FullyConnected(%1, %v) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>
  func.return %2 : tensor<1x1xf32>
}
