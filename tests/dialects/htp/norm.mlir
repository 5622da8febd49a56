// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Softmax and normalisations. The axes are a param of 0 to 3; gamma and beta have as many elements as
// the axes.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x1x8x32xf32>, %g: tensor<1x1x1x32xf32>, %n: tensor<1x1x1x1xf32>) {
  // CHECK: %[[DEPTH:.*]] = htp.Const dense<3>
  %depth = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.Softmax(%x, %[[DEPTH]], %n) :
  // GENERIC: "htp.Softmax"(%{{.*}}, %{{.*}}, %{{.*}}) :
  %0 = htp.Softmax(%x, %depth, %n) : (tensor<1x1x8x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>
  // CHECK: htp.LayerNorm(%x, %g, %g, %[[DEPTH]], %n) :
  %1 = htp.LayerNorm(%x, %g, %g, %depth, %n) : (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>
  // CHECK: htp.Batchnorm(%x, %g, %g) :
  %2 = htp.Batchnorm(%x, %g, %g) : (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x1x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Softmax: param 'axis' is 4, it must be from 0 to 3
%x, %n = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x1x1x1xf32>)
%axis = htp.Const dense<4> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.Softmax(%x, %axis, %n) : (tensor<1x8x8x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>

// -----

// ERROR: htp.LayerNorm: operand 'gamma' 1x1x1x64 has 64 elements, the axes (3,) have 32
%x, %g, %n = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x1xf32>)
%axes = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.LayerNorm(%x, %g, %g, %axes, %n) : (tensor<1x8x8x32xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>
