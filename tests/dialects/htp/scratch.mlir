// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// An allocated op names its kernel, and the scratch tensors that the kernel asked for, with their places.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>) {
  // CHECK: htp.Relu(%x) {kernel = "rows", scratch = [tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>]} :
  // GENERIC: "htp.Relu"(%{{.*}}) <{kernel = "rows", scratch = [tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>]}> :
  %0 = htp.Relu(%x) {kernel = "rows", scratch = [tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>]} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Relu: has scratch 0 and names no kernel
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Relu(%x) {scratch = [tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>]} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>

// -----

// ERROR: htp.Relu: scratch 0 has no place
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Relu(%x) {kernel = "rows", scratch = [tensor<1x1x1x4xf32>]} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
