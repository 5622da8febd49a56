// A number that cannot be kept in its type is an error with a place, also where xDSL has none.
// RUN: not htp-opt %s 2>&1 | filecheck %s

// CHECK:      value.mlir:7:{{[0-9]+}}: a value that does not fit its type: Format not implemented for i128
// CHECK-NEXT: correct the text
// CHECK-NOT:  Traceback
func.func @main() attributes {htp.options = dense<1> : tensor<2xi128>} {
  func.return
}
