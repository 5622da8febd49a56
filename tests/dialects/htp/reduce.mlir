// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Reductions leave the dims that they take together with extent 1; Argmax gives i32 places.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>) {
  // CHECK: %[[AXES:.*]] = htp.Const dense<{{.*}}[1, 2]
  %axes = htp.Const dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  // CHECK: htp.ReduceMean(%x, %[[AXES]]) : {{.*}} -> tensor<1x1x1x32xf32>
  // GENERIC: "htp.ReduceMean"(%{{.*}}, %{{.*}}) :
  %0 = htp.ReduceMean(%x, %axes) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>
  %depth = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.Argmax(%x, %{{.*}}) : {{.*}} -> tensor<1x8x8x1xi32>
  %1 = htp.Argmax(%x, %depth) : (tensor<1x8x8x32xf32>, tensor<1x1x1x1xi32>) -> tensor<1x8x8x1xi32>
  func.return
}

// -----

// ERROR: htp.ReduceSum: param 'axes' is (1, 4), each must be from 0 to 3
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%axes = htp.Const dense<[[[[1, 4]]]]> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
%y = htp.ReduceSum(%x, %axes) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>

// -----

// ERROR: htp.Argmin: axis 2 of the input is empty
%x = "test.op"() : () -> tensor<1x8x0x3xf32>
%axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.Argmin(%x, %axis) : (tensor<1x8x0x3xf32>, tensor<1x1x1x1xi32>) -> tensor<1x8x1x3xi32>
