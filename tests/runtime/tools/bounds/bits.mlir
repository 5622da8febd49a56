// An integer type of absurd width is refused where it stands, also in an alias.
// RUN: not htp-opt %s 2>&1 | filecheck %s

// CHECK:      bits.mlir:7:6: i1000000 has more than 128 bits
// CHECK-NEXT: correct the text
// CHECK-NOT:  Traceback
!n = i1000000
func.func @main(%x: tensor<2x!n>) {
  func.return
}
