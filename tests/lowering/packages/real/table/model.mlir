// The curve is looked up in a table, in tiles.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: TablePackage.LookUp(
!in = tensor<1x8x8x64x!quant.uniform<u8:f32, 0.05:128>>
!out = tensor<1x8x8x64x!quant.uniform<u8:f32, 0.1:120>>
func.func @main(%x: !in {htp.name = "x"}) -> (!out {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%x) {op_type = "Curve", package = "TablePackage", params = {}} : (!in) -> !out
  func.return %0 : !out
}
