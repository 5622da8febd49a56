// A factor moves into the param; the Reshapes of the boundary, to rank 4 and back, are not matched.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: HeadPackage.Scores(
// CHECK-NOT: htp.Mul(
!t = tensor<4x40x16xf32>
!s = tensor<4x40x40xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!s {htp.name = "y"}) {
  %half = qti_aisw.Const dense<0.5> : tensor<1xf32> -> tensor<1xf32>
  %0 = qti_aisw.Custom(%x, %x)
    {op_type = "Scores", package = "HeadPackage", params = {scale = 0.5 : f32}} : (!t, !t) -> !s
  %1 = qti_aisw.ElementWiseMultiply(%0, %half) : (!s, tensor<1xf32>) -> !s
  func.return %1 : !s
}
