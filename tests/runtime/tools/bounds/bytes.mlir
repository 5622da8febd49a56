// A tensor has at most as many bytes as HTP can address, from the type on: nothing is made of it.
// RUN: not htp-opt %s 2>&1 | filecheck %s
// RUN: not htp-run %s 2>&1 | filecheck %s

// CHECK:      bytes.mlir:8:21: tensor<65536x65536xi8> takes 4294967296 bytes, at most 4294967295 are taken
// CHECK-NEXT: correct the text
// CHECK-NOT:  Traceback
func.func @main(%x: tensor<65536x65536xi8>) -> tensor<65536x65536xi8> {
  func.return %x : tensor<65536x65536xi8>
}
