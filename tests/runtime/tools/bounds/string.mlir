// A string that is not closed is told at once: the parser would try every way to divide it.
// RUN: not htp-opt %s 2>&1 | filecheck %s
// RUN: not htp-run %s 2>&1 | filecheck %s

// CHECK:      string.mlir:8:45: a string is not closed
// CHECK-NEXT: end it with "
// CHECK-NOT:  Traceback
func.func @main() attributes {htp.options = "a line of some length, and of many words} {
  func.return
}
