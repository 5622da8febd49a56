// The padding becomes an op of its own, the windows are cut by rows and columns.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: htp.SlicePad_shape(
// CHECK: BlurPackage.Blur(
!t = tensor<1x20x16x8xf32>
!taps = tensor<3x3x1x1xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %taps = qti_aisw.Const dense<0.125> : !taps -> !taps
  %0 = qti_aisw.Custom(%x, %taps) {op_type = "Blur.padded", package = "BlurPackage",
    params = {pads = array<i64: 1, 1, 1, 1>}} : (!t, !taps) -> !t
  func.return %0 : !t
}
