// RUN: htp-opt %s -p htp-lower --plan %t
// RUN: htp-opt %s -p htp-lower | htp plan - %t | filecheck %s

// `--plan` writes which tensor has which bytes of TCM, from which op to which; `--verify-plan` holds such
// a table against a module.

// CHECK: holds; 2 tensors, peak 2072 of 8388608 bytes; in chunks of 2048 it takes 4096,
// CHECK-SAME: no other addresses take less than 4096
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
