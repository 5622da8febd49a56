// RUN: htp lower %s --explain-kernels 2>&1 | filecheck %s

// Which kernel each op gets: of those whose tensor classes fit the cheapest one, and why not the others.

// CHECK:      explain_kernels.mlir:10:3: htp.Relu (op 2): unary.PlainFloatTensor_TCM, the cheapest that fits, cost FAST
// CHECK-NEXT:   reference: fits, cost GLACIAL
// CHECK-NEXT:   mixed: fits, cost SNAIL
// CHECK:        unary.PlainFloatTensor: does not fit, takes PlainFloatTensor as 'out', it is PlainFloatTensor_TCM
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
