// One number may stand for many elements, but not for more than memory should hold.
// RUN: not htp-opt %s 2>&1 | filecheck %s

// CHECK:      constant.mlir:8:28: one number stands for 67117056 elements, at most 67108864 are taken
// CHECK-NEXT: correct the text
// CHECK-NOT:  Traceback
func.func @main() {
  %0 = qti_aisw.Const dense<1.0> : tensor<8193x8192xf32> -> tensor<8193x8192xf32>
  func.return
}
