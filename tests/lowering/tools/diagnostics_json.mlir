// Faults as JSON: one object a line, with the place, the remedy and names to put there.
// RUN: not htp-opt %s --split-input-file --diagnostics=json 2>&1 | filecheck %s
// RUN: not htp support nowhere.onnx --diagnostics json 2>&1 | filecheck %s --check-prefix VERB

// CHECK:      {"severity": "error", "where": "{{.*}}diagnostics_json.mlir:[[# @LINE + 5]]:8"
// CHECK-SAME: "column": 8, "end_column": 16, "problem": "Operation htp.Rleu is not registered
// CHECK-SAME: "remedy": "did you mean 'htp.Relu'?", "replacements": ["htp.Relu"]}
// CHECK-NEXT: "problem": "%y = htp.Relu: result 0 has shape 1x8x8x3, its inputs give 1x8x8x4
func.func @misspelt(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %y = htp.Rleu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}
// -----
func.func @unfit(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x3xf32> {
  %y = htp.Relu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x3xf32>
  func.return %y : tensor<1x8x8x3xf32>
}

// VERB: {"severity": "error", "where": "nowhere.onnx", "file": null
