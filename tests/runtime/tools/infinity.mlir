// RUN: htp-run %s | filecheck %s
// RUN: htp-opt %s -p htp-lower | htp-run - --check | filecheck %s
// RUN: htp-opt %s --print-op-generic | htp-run - | filecheck %s

// A mask of minus infinity is one after any way through text: as hex it once came back as 4.28657869e+09.

// CHECK: y: 2x4 float32, min -inf, mean -inf, max -inf
func.func @main(%x: tensor<2x4xf32> {htp.name = "x"}) -> (tensor<2x4xf32> {htp.name = "y"}) {
  %mask = qti_aisw.Const dense<0xFF800000> : tensor<4xf32> -> tensor<4xf32>
  %0 = qti_aisw.ElementWiseAdd(%x, %mask) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}
