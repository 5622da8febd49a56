// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Element-wise ops in two forms: raw, as a graph op becomes, and core, which rules and kernels speak of.
// Each dim of the operands is equal or 1.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%a: tensor<1x8x8x32xf32>, %b: tensor<1x1x1x32xf32>) {
  // CHECK: htp.ElementWiseSubtract(%a, %b) :
  %0 = htp.ElementWiseSubtract(%a, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  // CHECK: %[[DIFF:.*]] = htp.Sub(%a, %b) :
  // GENERIC: "htp.Sub"(%{{.*}}, %{{.*}}) :
  %1 = htp.Sub(%a, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  // CHECK: %[[LESS:.*]] = htp.Less(%[[DIFF]], %b) : {{.*}} -> tensor<1x8x8x32xi1>
  %2 = htp.Less(%1, %b) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xi1>
  // CHECK: htp.Select(%[[LESS]], %a, %b) :
  %3 = htp.Select(%2, %a, %b) : (tensor<1x8x8x32xi1>, tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Add: operand 'b' has extent 4 in dim 2, operand 'a' gives 8; they must be equal, or one of them 1
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x8x4x32xf32>)
%y = htp.Add(%a, %b) : (tensor<1x8x8x32xf32>, tensor<1x8x4x32xf32>) -> tensor<1x8x8x32xf32>

// -----

// ERROR: htp.Less: operand 'b' is Float16, operand 'a' is Float32; they must be equal
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf16>)
%y = htp.Less(%a, %b) : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf16>) -> tensor<1x8x8x32xi1>
