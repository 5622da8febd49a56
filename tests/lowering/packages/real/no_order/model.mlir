// Params become operands in the order in which they are given, and tiles are cut.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: LinePackage.Line(
func.func @main(%x: tensor<1x8x8x64xf32> {htp.name = "x"})
    -> (tensor<1x8x8x64xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x)
    {op_type = "Line", package = "LinePackage", params = {factor = 3.0 : f32, offset = 0.5 : f32}}
    : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  func.return %0 : tensor<1x8x8x64xf32>
}
