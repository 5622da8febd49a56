// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A loss of each target; or, with reduction 1, the mean over those that are not ignored.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<4x10x3xf32>, %t: tensor<4x3xi64>) {
  // CHECK: qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 1 : i64} : {{.*}} -> tensor<4x3xf32>
  // GENERIC: "qti_aisw.SoftmaxCrossEntropy"(%{{.+}}, %{{.+}}) <{axis = 1 : i64, ignored = -2147483648 : i64, reduction = 0 : i64}>
  %0 = qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 1 : i64} : (tensor<4x10x3xf32>, tensor<4x3xi64>) -> tensor<4x3xf32>
  // CHECK: qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 1 : i64, ignored = -100 : i64, reduction = 1 : i64} : {{.*}} -> tensor<f32>
  %1 = qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 1 : i64, ignored = -100 : i64, reduction = 1 : i64} : (tensor<4x10x3xf32>, tensor<4x3xi64>) -> tensor<f32>
  func.return
}

// -----

// ERROR: qti_aisw.SoftmaxCrossEntropy: (C1) operand 'inp' has element type Int32, it must be a float
%x, %t = "test.op"() : () -> (tensor<4x10xi32>, tensor<4xi32>)
%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) : (tensor<4x10xi32>, tensor<4xi32>) -> tensor<4xi32>

// -----

// ERROR: param 'axis' is 2, the tensor has rank 2
%x, %t = "test.op"() : () -> (tensor<4x10xf32>, tensor<4xi32>)
%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 2 : i64} : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.SoftmaxCrossEntropy: (C3) operand 'targets' has element type Float32, it must be i32 or i64
%x, %t = "test.op"() : () -> (tensor<4x10xf32>, tensor<4xf32>)
%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) : (tensor<4x10xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.SoftmaxCrossEntropy: (C3) operand 'targets' has shape 10, the others give 4
%x, %t = "test.op"() : () -> (tensor<4x10xf32>, tensor<10xi32>)
%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) : (tensor<4x10xf32>, tensor<10xi32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.SoftmaxCrossEntropy: (C4) param 'reduction' is 3, it must be from 0 to 2
%x, %t = "test.op"() : () -> (tensor<4x10xf32>, tensor<4xi32>)
%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) {reduction = 3 : i64} : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>
