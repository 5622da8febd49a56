// Copies placed by hand lead the op and what follows it to TCM.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: HandPackage.SquareAdd.tcm(
!t = tensor<1x8x8x64xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseMultiply(%x, %x) : (!t, !t) -> !t
  %1 = qti_aisw.ElementWiseMultiply(%0, %0) : (!t, !t) -> !t
  %2 = qti_aisw.ElementWiseAdd(%1, %x) : (!t, !t) -> !t
  func.return %2 : !t
}
