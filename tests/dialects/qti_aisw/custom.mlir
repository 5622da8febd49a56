// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// The op of an op package in a graph. Only the package knows what it takes and gives; its params
// are numbers, truth values, text, or lists of numbers.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x4xf32>, %n: tensor<i32>) {
  // CHECK: qti_aisw.Custom(%x) {op_type = "MaxPool_valid", package = "MaxPoolPackage", params = {window = array<i64: 1, 2, 2, 1>}} :
  // GENERIC: "qti_aisw.Custom"(%{{.*}}) <{{{.*}}params = {window = array<i64: 1, 2, 2, 1>}{{.*}}}>
  %0 = qti_aisw.Custom(%x) {op_type = "MaxPool_valid", package = "MaxPoolPackage", params = {window = array<i64: 1, 2, 2, 1>}} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  // CHECK: %{{.+}}, %{{.+}} = qti_aisw.Custom(%x, %n) {op_type = "Pair", package = "P"} : {{.*}} -> (tensor<4xf32>, tensor<1xi32>)
  %1, %2 = qti_aisw.Custom(%x, %n) {op_type = "Pair", package = "P"} : (tensor<1x8x8x4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<1xi32>)
  func.return
}

// -----

// ERROR: qti_aisw.Custom: (C1) package is 'a b', it must be a name
%x = "test.op"() : () -> tensor<2xf32>
%y = qti_aisw.Custom(%x) {package = "a b", op_type = "Op"} : (tensor<2xf32>) -> tensor<2xf32>

// -----

// ERROR: qti_aisw.Custom: (C2) param 'window' is 3 : i32, it must be i64, f32, i1, text, array<i64> or array<f32>
%x = "test.op"() : () -> tensor<2xf32>
%y = qti_aisw.Custom(%x) {package = "P", op_type = "Op", params = {window = 3 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
