// RUN: htp-opt %s -p qti-fold-empty,dce --split-input-file | filecheck %s
// RUN: htp-opt %s -p htp-lower --split-input-file | filecheck %s --check-prefix LOWERED

// What has no elements needs no op, and a sum over nothing is 0; what joins nothing to something
// stays. Below the graph level no op is left that reads a tensor without elements.

// CHECK-LABEL: func.func @main
// CHECK-DAG:   %[[NONE:.*]] = qti_aisw.Const dense<> : tensor<0x4xf32>
// CHECK-DAG:   %[[ZEROS:.*]] = qti_aisw.Const dense<0.0{{.*}}> : tensor<4xf32>
// CHECK-DAG:   %[[JOINED:.*]] = qti_aisw.Concat(%x, %y)
// CHECK:       func.return %[[NONE]], %[[ZEROS]], %[[JOINED]]
// LOWERED-NOT: htp.Softmax
// LOWERED-NOT: htp.ReduceSum
func.func @main(%x: tensor<0x4xf32>, %y: tensor<3x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  %0 = qti_aisw.Softmax(%x) {axis = 0 : i64} : (tensor<0x4xf32>) -> tensor<0x4xf32>
  %1 = qti_aisw.ReduceSum(%0) {axes = array<i64: 0>} : (tensor<0x4xf32>) -> tensor<4xf32>
  %2 = qti_aisw.Concat(%x, %y) {axis = 0 : i64} : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %0, %1, %2 : tensor<0x4xf32>, tensor<4xf32>, tensor<3x4xf32>
}
