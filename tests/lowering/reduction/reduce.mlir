// RUN: htp reduce %s -o %t.mlir --match 'mode BLOCKING cannot run on HTP' -- htp-opt {} -p htp-lower | filecheck %s --check-prefix SUMMARY
// RUN: htp-opt %t.mlir | filecheck %s
// RUN: not htp reduce %s -o %t2.mlir -- htp-opt {} 2>&1 | filecheck %s --check-prefix FINE
// RUN: not htp reduce %s -o %t2.mlir 2>&1 | filecheck %s --check-prefix NONE

// A module that fails a command becomes the smallest one that does.

// SUMMARY:    .mlir: from 10 to 4 ops, {{.*}} characters, in {{[0-9]+}} trials
// CHECK:      func.func @main(%[[X:[a-z0-9_]+]]: tensor<[[D:1x1x1x1]]xf32>
// CHECK-NEXT:   %[[Y:[a-z0-9_]+]] = qti_aisw.Buffer(%[[X]])
// CHECK-NEXT:   func.return %[[Y]]
// CHECK-NEXT: }
// FINE:       the command does not fail on it
// NONE:       no command is given
func.func @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}
func.func @main(%x: tensor<1x1x6x8xf32>, %y: tensor<1x1x6x8xf32>)
    -> (tensor<1x3x6x8xf32>, tensor<1x1x6x8xf32>) {
  %0 = qti_aisw.Relu(%x) : (tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  %1 = qti_aisw.ElementWiseAdd(%0, %y) : (tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  %2 = qti_aisw.Buffer(%1) {buffer_dim = 1 : i64, buffer_size = 3 : i64}
    : (tensor<1x1x6x8xf32>) -> tensor<1x3x6x8xf32>
  %3 = qti_aisw.Tanh(%2) : (tensor<1x3x6x8xf32>) -> tensor<1x3x6x8xf32>
  %4 = qti_aisw.Sigmoid(%y) : (tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  func.return %3, %4 : tensor<1x3x6x8xf32>, tensor<1x1x6x8xf32>
}
