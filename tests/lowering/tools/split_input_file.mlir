// RUN: not htp-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix ERROR
// RUN: not htp-opt %s --split-input-file | filecheck %s

// An error in one of several pieces names the piece and its line in the whole file. The others come
// out, with the separator between any two pieces; the exit status is 1.

// ERROR:      {{.*}}split_input_file.mlir:30:8: Operation htp.Rellu is not registered (piece 2 of 4, from line 28 on)
// ERROR-NEXT:   did you mean 'htp.Relu'?
// ERROR-NEXT:     %0 = htp.Rellu(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
// ERROR-NEXT:          ^^^^^^^^^
// ERROR-NEXT: {{.*}}split_input_file.mlir:37:3: %4 = htp.Abs: result 0 has shape 1x1x1x5, its inputs give 1x1x1x4 (piece 3 of 4, from line 35 on)
// ERROR-NEXT:   correct the text
// ERROR-NEXT:     %4 = htp.Abs(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x5xf32>
// ERROR-NEXT:     ^^^^^^^^^^^^

// CHECK:      func.func @first
// CHECK:      {{/}}/ -----
// CHECK-NEXT: {{/}}/ -----
// CHECK-NEXT: {{/}}/ -----
// CHECK-NOT:  @second
// CHECK-NOT:  @third
// CHECK:      func.func @last
func.func @first(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  func.return %x : tensor<1x1x1x4xf32>
}

// -----

func.func @second(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Rellu(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %0 : tensor<1x1x1x4xf32>
}

// -----

func.func @third(%x: tensor<1x1x1x4xf32>) {
  %4 = htp.Abs(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x5xf32>
  func.return
}

// -----

func.func @last(%x: tensor<1x1x1x4xf32>) {
  func.return
}
