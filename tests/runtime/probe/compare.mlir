// RUN: htp probe %s %t.npz | filecheck %s --check-prefix RUN-AS-EVER
// RUN: htp compare %s %s -p htp-lower | filecheck %s
// RUN: htp compare %s %t.npz | filecheck %s --check-prefix SAME
// RUN: not htp compare %s %t.npz --seed 1 2>&1 | filecheck %s --check-prefix OTHER
// RUN: htp compare %s %t.npz --seed 1 --tolerance 9 | filecheck %s --check-prefix ALLOWED
// RUN: not htp-run %t.npz 2>&1 | filecheck %s --check-prefix ALONE

// Every tensor of a run by the name of its node, and two runs compared: two levels, or a level and a
// file, node by node, the worst first.

// RUN-AS-EVER: y: 1x2x2x8 float32, min

// CHECK:      {{^ +}}error {{ *}} allowed {{ *}} first {{ *}} second {{ *}} dB {{ *}} at {{ *}} tensor
// CHECK-DAG:  of 1x2x2x8  x{{$}}
// CHECK-DAG:  of 1x2x2x8  curve{{$}}
// CHECK-DAG:  of 1x2x2x8  y{{$}}
// SAME-NOT:   differs
// SAME:       of 1x2x2x8  |qti_aisw.Relu
// OTHER:      differs
// OTHER:      4 of 4 tensors differ, the worst '{{.*}}' by
// OTHER-NEXT: --tolerance REL allows another error
// ALLOWED-NOT: differs
// ALONE:      holds tensors, and nothing says what to do with them
func.func @main(%x: tensor<1x2x2x8xf32> {htp.name = "x"}) -> (tensor<1x2x2x8xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %1 = qti_aisw.Tanh(%0) {htp.name = "curve"} : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %2 = qti_aisw.ElementWiseNeg(%1) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  func.return %2 : tensor<1x2x2x8xf32>
}
