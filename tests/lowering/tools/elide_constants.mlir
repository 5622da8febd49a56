// RUN: htp-opt %s --elide-constants 4 | filecheck %s --check-prefix KEPT
// RUN: htp-opt %s --elide-constants 3 | filecheck %s --check-prefix ELIDED
// RUN: htp-opt %s --elide-constants 3 --print-op-generic | filecheck %s --check-prefix GENERIC

// For reading, constants of more than so many elements print as a handle without their data.

// KEPT:       qti_aisw.Const dense<[{{.*}}4.5
// ELIDED-NOT: 4.5
// ELIDED:     qti_aisw.Const dense_resource<__elided__> : tensor<4xf32> -> tensor<4xf32>
// GENERIC:    "qti_aisw.Const"() <{value = dense_resource<__elided__> : tensor<4xf32>}>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = qti_aisw.Const dense<[1.5, 2.5, 3.5, 4.5]> : tensor<4xf32> -> tensor<4xf32>
  %0 = qti_aisw.ElementWiseMultiply(%x, %w) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}
