// The bias moves into the convolution, which is cut by rows, columns and filters.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: ConvPackage.Conv(
!x = tensor<1x20x21x4xf32>
!w = tensor<3x3x4x40xf32>
!b = tensor<1x1x1x40xf32>
!y = tensor<1x18x10x40xf32>
func.func @main(%x: !x {htp.name = "x"}) -> (!y {htp.name = "y"}) {
  %w = qti_aisw.Const dense<0.25> : !w -> !w
  %b = qti_aisw.Const dense<0.5> : !b -> !b
  %0 = qti_aisw.Custom(%x, %w)
    {op_type = "Conv", package = "ConvPackage", params = {stride = array<i64: 1, 1, 2, 1>}} : (!x, !w) -> !y
  %1 = qti_aisw.ElementWiseAdd(%0, %b) : (!y, !b) -> !y
  func.return %1 : !y
}
