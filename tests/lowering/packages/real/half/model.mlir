// Without relaxed precision the f32 kernels stay.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: HalfPackage.Blend(
!t = tensor<1x8x8x64xf32>
func.func @main(%x: !t {htp.name = "x"}) -> (!t {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "Mish", package = "HalfPackage", params = {}} : (!t) -> !t
  %1 = qti_aisw.Custom(%x, %0) {op_type = "Blend", package = "HalfPackage", params = {}}
    : (!t, !t) -> !t
  func.return %1 : !t
}
