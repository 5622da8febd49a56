// Splits for threads, by shape functions and on another dim.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: SplitPackage.Bump(
!x = tensor<2x24x16x40xf32>
!y = tensor<2x16x24x40xf32>
!r = tensor<1x1x1x40xf32>
func.func @main(%x: !x {htp.name = "x"}) -> (!y {htp.name = "y"}) {
  %r = qti_aisw.Const dense<0.5> : !r -> !r
  %0 = qti_aisw.Custom(%x) {op_type = "Turn", package = "SplitPackage", params = {}} : (!x) -> !y
  %1 = qti_aisw.Custom(%0, %r) {op_type = "Bump", package = "SplitPackage", params = {}}
    : (!y, !r) -> !y
  func.return %1 : !y
}
