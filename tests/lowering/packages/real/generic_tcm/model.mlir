// A param by its default, the result in TCM.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: LeakPackage.Leak(
!t = tensor<1x8x8x64xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "Leak", package = "LeakPackage", params = {}} : (!t) -> !t
  func.return %0 : !t
}
