// RUN: htp-opt %s -p 'htp-lower{floats=f16 level=native}' | filecheck %s
// RUN: htp numerics %s -p 'htp-lower{floats=f16}' -o %t.mlir 2>&1 | filecheck %s --check-prefix NUMBERS
// RUN: htp compare %t.mlir %s --check | filecheck %s --check-prefix COMPARED

// Floats are lowered in f16 between inputs and outputs in f32. Rules of relaxed precision run: the
// bias joins the product. Errors of f16 are none for --check-numerics and --compare.

// CHECK:      htp.Cast(%{{.*}} -> tensor<1x1x2x8xf16>
// CHECK:      htp.FullyConnected(%{{.*}} -> tensor<1x1x2x8xf16>
// CHECK-NOT:  htp.BiasAdd
// CHECK:      htp.Softmax
// CHECK:      htp.Cast(%{{.*}} -> tensor<1x1x2x8xf32>

// NUMBERS: numbers agree behind
// COMPARED:     error {{.*}} tensor
// COMPARED-NOT: differs
func.func @main(%x: tensor<2x8xf32> {htp.name = "x"}) -> (tensor<2x8xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<0.3> : tensor<8x8xf32> -> tensor<8x8xf32>
  %b = qti_aisw.Const dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32> -> tensor<8xf32>
  %0 = qti_aisw.MatMul(%x, %w) : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = qti_aisw.ElementWiseAdd(%0, %b) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %2 = qti_aisw.Softmax(%1) {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %2 : tensor<2x8xf32>
}
