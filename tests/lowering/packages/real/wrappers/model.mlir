// Rules that wrapper macros made: one op by name, one fused.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: ActPackage.HardTanh(
!t = tensor<1x16x8x64xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %one = qti_aisw.Const dense<1.0> : tensor<1xf32> -> tensor<1xf32>
  %0 = qti_aisw.ElementWiseAbs(%x) : (!t) -> !t
  %1 = qti_aisw.ElementWiseAdd(%0, %one) : (!t, tensor<1xf32>) -> !t
  %2 = qti_aisw.ElementWiseDivide(%x, %1) : (!t, !t) -> !t
  %3 = qti_aisw.Custom(%2) {op_type = "HardTanh", package = "ActPackage", params = {}} : (!t) -> !t
  func.return %3 : !t
}
