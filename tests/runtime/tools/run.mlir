// RUN: htp-run %s | filecheck %s
// RUN: htp-run %s -p htp-lower --check | filecheck %s
// RUN: not htp-run %s --dim n=1 2>&1 | filecheck %s --check-prefix DIM

// htp-run makes inputs where none are given and sums the outputs up. Lowered, the module
// gives the same numbers.

// CHECK: y: 2x3 float32, min 0, mean 0.205441, max 0.640423

// DIM:      'n' is given, and text has no symbolic dims
// DIM-NEXT: leave it out
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
