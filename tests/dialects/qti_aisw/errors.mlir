// RUN: not htp-opt %s 2>&1 | filecheck %s

// The message names the op, the rule and the value, and is two lines long.
// CHECK: qti_aisw.Buffer: (C4) param 'stride' is 1, an inference brings 2 rows and the buffer holds 4; it must be a multiple of 2 from 2 to 4
// CHECK-NOT: Traceback
func.func @main(%x: tensor<2x16xf32>) {
  %y = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64} : (tensor<2x16xf32>) -> tensor<4x16xf32>
  func.return
}
