// RUN: htp-opt %s -p qti-raise --split-input-file | filecheck %s
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "softmax cross entropy, reduced first" | filecheck %s --check-prefix WHY
// RUN: htp rules explain %s -p qti-raise --split-input-file --rule "softmax cross entropy, none, with ignored targets" | filecheck %s --check-prefix ONNX

// The mean of minus the logarithms at the targets, which are counted through the rows.

// CHECK-LABEL: func.func @mean
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.SoftmaxCrossEntropy(%x, %t) {reduction = 1 : i64}
// CHECK-NEXT:  func.return %[[Y]]
func.func @mean(%x: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<f32> {
  %zero = qti_aisw.Const dense<0> : tensor<i32> -> tensor<i32>
  %count = qti_aisw.Const dense<3> : tensor<i32> -> tensor<i32>
  %one = qti_aisw.Const dense<1> : tensor<i32> -> tensor<i32>
  %begins = qti_aisw.Const dense<[[0], [3]]> : tensor<2x1xi32> -> tensor<2x1xi32>
  %c = qti_aisw.Reshape(%t) {shape = array<i64: 2, 1>} : (tensor<2xi32>) -> tensor<2x1xi32>
  %b = qti_aisw.ElementWiseLess(%c, %zero) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi1>
  %u = qti_aisw.ElementWiseAdd(%c, %count) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %s = qti_aisw.ElementWiseSelect(%b, %u, %c) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %m = qti_aisw.ElementWiseMultiply(%s, %one) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %p = qti_aisw.ElementWiseAdd(%m, %begins) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %l = qti_aisw.LogSoftmax(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %f = qti_aisw.Reshape(%l) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %g = qti_aisw.Gather(%f, %p) {axis = 0 : i64} : (tensor<6xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  %a = qti_aisw.ReduceMean(%g) {axes = array<i64: 0, 1>} : (tensor<2x1xf32>) -> tensor<f32>
  %y = qti_aisw.ElementWiseNeg(%a) : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// Places that do not begin where the rows do stay.

// CHECK-LABEL: func.func @elsewhere
// CHECK:       qti_aisw.LogSoftmax
// WHY:         refused: EXTERNAL_CONSTRAINT(picks_targets, "X", "Targets", "Axis", "Zero", "Count", "One", "Begins"): {{.*}}; picks_targets: The constants count the targets, one for each row, through the rows of the data.
func.func @elsewhere(%x: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<f32> {
  %zero = qti_aisw.Const dense<0> : tensor<i32> -> tensor<i32>
  %count = qti_aisw.Const dense<3> : tensor<i32> -> tensor<i32>
  %one = qti_aisw.Const dense<1> : tensor<i32> -> tensor<i32>
  %begins = qti_aisw.Const dense<[[0], [2]]> : tensor<2x1xi32> -> tensor<2x1xi32>
  %c = qti_aisw.Reshape(%t) {shape = array<i64: 2, 1>} : (tensor<2xi32>) -> tensor<2x1xi32>
  %b = qti_aisw.ElementWiseLess(%c, %zero) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi1>
  %u = qti_aisw.ElementWiseAdd(%c, %count) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %s = qti_aisw.ElementWiseSelect(%b, %u, %c) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %m = qti_aisw.ElementWiseMultiply(%s, %one) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %p = qti_aisw.ElementWiseAdd(%m, %begins) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %l = qti_aisw.LogSoftmax(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %f = qti_aisw.Reshape(%l) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %g = qti_aisw.Gather(%f, %p) {axis = 0 : i64} : (tensor<6xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  %a = qti_aisw.ReduceMean(%g) {axes = array<i64: 0, 1>} : (tensor<2x1xf32>) -> tensor<f32>
  %y = qti_aisw.ElementWiseNeg(%a) : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// The body of ONNX's loss behind LogSoftmax, where a target may be ignored.

// CHECK-LABEL: func.func @ignored
// CHECK-NEXT:  %[[Y:.*]] = qti_aisw.SoftmaxCrossEntropy(%x, %t) {axis = 1 : i64, ignored = -100 : i64}
// CHECK-NEXT:  func.return %[[Y]]
func.func @ignored(%x: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<2xf32> {
  %none = qti_aisw.Const dense<0.0> : tensor<1xf32> -> tensor<1xf32>
  %whole = qti_aisw.Const dense<1.0> : tensor<1xf32> -> tensor<1xf32>
  %ignored = qti_aisw.Const dense<-100> : tensor<1xi32> -> tensor<1xi32>
  %zero = qti_aisw.Const dense<0> : tensor<i32> -> tensor<i32>
  %count = qti_aisw.Const dense<3> : tensor<i32> -> tensor<i32>
  %one = qti_aisw.Const dense<1> : tensor<i32> -> tensor<i32>
  %begins = qti_aisw.Const dense<[[0], [3]]> : tensor<2x1xi32> -> tensor<2x1xi32>
  %c = qti_aisw.Reshape(%t) {shape = array<i64: 2, 1>} : (tensor<2xi32>) -> tensor<2x1xi32>
  %mask = qti_aisw.ElementWiseEqual(%c, %ignored) : (tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x1xi1>
  %first = qti_aisw.ElementWiseSubtract(%c, %c) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %k = qti_aisw.ElementWiseSelect(%mask, %first, %c) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %b = qti_aisw.ElementWiseLess(%k, %zero) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi1>
  %u = qti_aisw.ElementWiseAdd(%k, %count) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %s = qti_aisw.ElementWiseSelect(%b, %u, %k) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %m = qti_aisw.ElementWiseMultiply(%s, %one) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %p = qti_aisw.ElementWiseAdd(%m, %begins) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %l = qti_aisw.LogSoftmax(%x) {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %f = qti_aisw.Reshape(%l) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %g = qti_aisw.Gather(%f, %p) {axis = 0 : i64} : (tensor<6xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  %kept = qti_aisw.ElementWiseSelect(%mask, %none, %g) : (tensor<2x1xi1>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = qti_aisw.ElementWiseNeg(%kept) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %a = qti_aisw.StridedSlice(%n) {ranges = array<i64: 0, 2, 1, 0, 1, 1>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %r = qti_aisw.Reshape(%a) {shape = array<i64: 2>} : (tensor<2x1xf32>) -> tensor<2xf32>
  %flags = qti_aisw.Reshape(%mask) {shape = array<i64: 2>} : (tensor<2x1xi1>) -> tensor<2xi1>
  %w = qti_aisw.ElementWiseSelect(%flags, %none, %whole) : (tensor<2xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %y = qti_aisw.ElementWiseMultiply(%r, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// Logarithms along another dim than that of the classes stay.

// CHECK-LABEL: func.func @along_rows
// CHECK:       qti_aisw.LogSoftmax
// ONNX:        refused: EXTERNAL_CONSTRAINT(picks_targets, "X", "Targets", "Axis", "Zero", "Count", "One", "Begins"): {{.*}}; picks_targets: The constants count the targets, one for each row, through the rows of the data.
func.func @along_rows(%x: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<2xf32> {
  %none = qti_aisw.Const dense<0.0> : tensor<1xf32> -> tensor<1xf32>
  %whole = qti_aisw.Const dense<1.0> : tensor<1xf32> -> tensor<1xf32>
  %ignored = qti_aisw.Const dense<-100> : tensor<1xi32> -> tensor<1xi32>
  %zero = qti_aisw.Const dense<0> : tensor<i32> -> tensor<i32>
  %count = qti_aisw.Const dense<3> : tensor<i32> -> tensor<i32>
  %one = qti_aisw.Const dense<1> : tensor<i32> -> tensor<i32>
  %begins = qti_aisw.Const dense<[[0], [3]]> : tensor<2x1xi32> -> tensor<2x1xi32>
  %c = qti_aisw.Reshape(%t) {shape = array<i64: 2, 1>} : (tensor<2xi32>) -> tensor<2x1xi32>
  %mask = qti_aisw.ElementWiseEqual(%c, %ignored) : (tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x1xi1>
  %first = qti_aisw.ElementWiseSubtract(%c, %c) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %k = qti_aisw.ElementWiseSelect(%mask, %first, %c) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %b = qti_aisw.ElementWiseLess(%k, %zero) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi1>
  %u = qti_aisw.ElementWiseAdd(%k, %count) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %s = qti_aisw.ElementWiseSelect(%b, %u, %k) : (tensor<2x1xi1>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %m = qti_aisw.ElementWiseMultiply(%s, %one) : (tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %p = qti_aisw.ElementWiseAdd(%m, %begins) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  %l = qti_aisw.LogSoftmax(%x) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %f = qti_aisw.Reshape(%l) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %g = qti_aisw.Gather(%f, %p) {axis = 0 : i64} : (tensor<6xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  %kept = qti_aisw.ElementWiseSelect(%mask, %none, %g) : (tensor<2x1xi1>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = qti_aisw.ElementWiseNeg(%kept) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %a = qti_aisw.StridedSlice(%n) {ranges = array<i64: 0, 2, 1, 0, 1, 1>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %r = qti_aisw.Reshape(%a) {shape = array<i64: 2>} : (tensor<2x1xf32>) -> tensor<2xf32>
  %flags = qti_aisw.Reshape(%mask) {shape = array<i64: 2>} : (tensor<2x1xi1>) -> tensor<2xi1>
  %w = qti_aisw.ElementWiseSelect(%flags, %none, %whole) : (tensor<2xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %y = qti_aisw.ElementWiseMultiply(%r, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
