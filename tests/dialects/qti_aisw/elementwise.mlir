// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Element-wise ops of the graph: operands of one dtype broadcast, a comparison gives truth values,
// and logic takes nothing else.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // CHECK: [[SUM:%.+]] = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // GENERIC: "qti_aisw.ElementWiseAdd"(%{{.+}}, %{{.+}}) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %0 = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: [[LESS:%.+]] = qti_aisw.ElementWiseLess([[SUM]], %b) : {{.*}} -> tensor<2x4xi1>
  %1 = qti_aisw.ElementWiseLess(%0, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  // CHECK: [[NOT:%.+]] = qti_aisw.ElementWiseNot([[LESS]]) :
  %2 = qti_aisw.ElementWiseNot(%1) : (tensor<2x4xi1>) -> tensor<2x4xi1>
  // CHECK: qti_aisw.ElementWiseSelect([[NOT]], %a, %b) : {{.*}} -> tensor<2x4xf32>
  %3 = qti_aisw.ElementWiseSelect(%2, %a, %b) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// ERROR: qti_aisw.ElementWiseAdd: shapes 4x3 and 4 do not broadcast
%a, %b = "test.op"() : () -> (tensor<4x3xf32>, tensor<4xf32>)
%y = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>

// -----

// ERROR: qti_aisw.ElementWiseAdd: operand 'b' is Int32, 'a' is Float32; they must be equal
%a, %b = "test.op"() : () -> (tensor<4xf32>, tensor<4xi32>)
%y = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.ElementWiseSelect: operand 'cond' has element type Float32, it must be i1
%c, %a, %b = "test.op"() : () -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
%y = qti_aisw.ElementWiseSelect(%c, %a, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
