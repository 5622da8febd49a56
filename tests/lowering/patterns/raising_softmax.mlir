// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s

// Powers over their sum are a Softmax along the one axis of the sum, with the maximum taken away or not.

// CHECK-LABEL: func.func @softmax
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.Softmax(%x) {axis = 0 : i64}
// CHECK-NEXT:  func.return %[[Y]]
func.func @softmax(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %m = qti_aisw.ReduceMax(%x) {axes = array<i64: 0>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %d = qti_aisw.ElementWiseSubtract(%x, %m) : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %p = qti_aisw.ElementWiseExp(%d) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %s = qti_aisw.ReduceSum(%p) {axes = array<i64: 0>, keep_dims = true} : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %y = qti_aisw.ElementWiseDivide(%p, %s) : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// -----

// The logarithm of a Softmax, as a loss takes it, is a LogSoftmax.

// CHECK-LABEL: func.func @log
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.LogSoftmax(%x) {axis = 0 : i64, beta = 2.0{{.*}} : f32}
// CHECK-NEXT:  func.return %[[Y]]
func.func @log(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %s = qti_aisw.Softmax(%x) {axis = 0 : i64, beta = 2.0 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = qti_aisw.ElementWiseLog(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}
