// The op of two outputs, both read by its own join.
// RUN: htp-opt --package %S/package.py %s -p htp-lower | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: GatePackage.GateJoin(
func.func @main(%x: tensor<1x8x8x64xf32> {htp.name = "x"})
    -> (tensor<1x8x8x64xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Sigmoid(%x) : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  %1 = qti_aisw.ElementWiseMultiply(%x, %0)
    : (tensor<1x8x8x64xf32>, tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  func.return %1 : tensor<1x8x8x64xf32>
}
