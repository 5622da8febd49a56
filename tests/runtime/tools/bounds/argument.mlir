// An argument that no op reads is checked too when the function is lowered.
// RUN: not htp-opt %s -p htp-lower 2>&1 | filecheck %s

// CHECK:      @main: argument 0: quantised with 2 scales along axis 0, which has extent 1
// CHECK-NEXT: give it a type that is taken
// CHECK-NOT:  Traceback
func.func @main(%q: tensor<1x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  func.return
}
