// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// The raw convolutions, as the conversion makes them: the params of the graph op are operands, in its
// order. A rule turns most of them into core ones.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x32x64xf32>, %b: tensor<1x1x1x64xf32>) {
  %stride = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %pad = htp.Const dense<[[[[1, 1], [0, 0]]]]> : tensor<1x1x2x2xi32> -> tensor<1x1x2x2xi32>
  %one = htp.Const dense<1> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  // CHECK: %[[GROUP:.*]] = htp.Const dense<1> : tensor<1x1x1x1xi32>
  %group = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.Conv2d(%x, %w, %b, %{{.*}}, %{{.*}}, %{{.*}}, %[[GROUP]]) : {{.*}} -> tensor<1x4x3x64xf32>
  // GENERIC: "htp.Conv2d"({{.*}}) : {{.*}} -> tensor<1x4x3x64xf32>
  %0 = htp.Conv2d(%x, %w, %b, %stride, %pad, %one, %group) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x3x64xf32>
  func.return
}

// -----

// A param that is a constant is checked; one that the model computes is not known here.
// ERROR: htp.Conv2d: operand 'in' has extent 32 in dim 3, operand 'filter' gives 3 groups of 32; they must be equal
%x, %w, %b, %two, %pad = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>)
%group = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.Conv2d(%x, %w, %b, %two, %pad, %two, %group) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x6x6x64xf32>
