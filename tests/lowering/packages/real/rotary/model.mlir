// One turn by halves of the depth, one inside the embedding, which is cut by rows.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK-DAG: RotaryPackage.Halves(
// CHECK-DAG: RotaryPackage.Rotary(
!t = tensor<1x16x8x32xf32>
!row = tensor<1x1x1x32xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %c = qti_aisw.Const dense<0.5> : !row -> !row
  %s = qti_aisw.Const dense<0.25> : !row -> !row
  %0 = qti_aisw.Custom(%x) {op_type = "Turn", package = "RotaryPackage", params = {}} : (!t) -> !t
  %1 = qti_aisw.Custom(%x, %c, %s) {op_type = "Rotary", package = "RotaryPackage", params = {}}
    : (!t, !row, !row) -> !t
  %2 = qti_aisw.ElementWiseAdd(%0, %1) : (!t, !t) -> !t
  func.return %2 : !t
}
