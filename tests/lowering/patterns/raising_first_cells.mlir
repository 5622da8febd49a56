// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "first lstm cell" | filecheck %s --check-prefix WHY

// A step without a state: the exporter has folded its product, of which the bias is left in each row.

// CHECK-LABEL: func.func @first
// CHECK:       %{{.*}}, %[[H:.*]], %{{.*}} = qti_aisw.Lstm(
// CHECK-NEXT:  %h = qti_aisw.Reshape(%[[H]])
// CHECK-NEXT:  func.return %h
func.func @first(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %w = qti_aisw.Const dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32> -> tensor<4x2xf32>
  %b = qti_aisw.Const dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<2x4xf32> -> tensor<2x4xf32>
  %none = qti_aisw.Const dense<0.0> : tensor<2x1xf32> -> tensor<2x1xf32>
  %a = qti_aisw.FullyConnected(%x, %w) : (tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x4xf32>
  %s = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %f, %i, %g, %o = qti_aisw.Split(%s) {axis = 1 : i64, split_index = array<i64: 1, 2, 3>} : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %fs = qti_aisw.Sigmoid(%f) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %is = qti_aisw.Sigmoid(%i) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %os = qti_aisw.Sigmoid(%o) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %gt = qti_aisw.Tanh(%g) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %kept = qti_aisw.ElementWiseMultiply(%fs, %none) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %new = qti_aisw.ElementWiseMultiply(%is, %gt) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = qti_aisw.ElementWiseAdd(%kept, %new) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %ct = qti_aisw.Tanh(%c) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %h = qti_aisw.ElementWiseMultiply(%os, %ct) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  func.return %h : tensor<2x1xf32>
}

// -----

// Rows that differ come from states that do.

// CHECK-LABEL: func.func @rows
// CHECK:       qti_aisw.Split
// WHY:         refused: EXTERNAL_CONSTRAINT(are_equal_rows, "GH", "State"): {{.*}}; are_equal_rows: The rows of each constant are equal, as those of a product that is its bias alone.
func.func @rows(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %w = qti_aisw.Const dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32> -> tensor<4x2xf32>
  %b = qti_aisw.Const dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<2x4xf32> -> tensor<2x4xf32>
  %none = qti_aisw.Const dense<0.0> : tensor<2x1xf32> -> tensor<2x1xf32>
  %a = qti_aisw.FullyConnected(%x, %w) : (tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x4xf32>
  %s = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %f, %i, %g, %o = qti_aisw.Split(%s) {axis = 1 : i64, split_index = array<i64: 1, 2, 3>} : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %fs = qti_aisw.Sigmoid(%f) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %is = qti_aisw.Sigmoid(%i) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %os = qti_aisw.Sigmoid(%o) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %gt = qti_aisw.Tanh(%g) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %kept = qti_aisw.ElementWiseMultiply(%fs, %none) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %new = qti_aisw.ElementWiseMultiply(%is, %gt) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = qti_aisw.ElementWiseAdd(%kept, %new) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %ct = qti_aisw.Tanh(%c) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %h = qti_aisw.ElementWiseMultiply(%os, %ct) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  func.return %h : tensor<2x1xf32>
}
