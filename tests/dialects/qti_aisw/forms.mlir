// RUN: htp-opt %s | filecheck %s
// RUN: htp-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --print-op-generic | htp-opt | filecheck %s

// Params that have their default are not shown; optional operands go by name.
// CHECK-LABEL: func.func @convolution
// GENERIC-LABEL: sym_name = "convolution"
func.func @convolution(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>) {
  // CHECK: [[BARE:%.+]] = qti_aisw.Conv2d(%x, %w) : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x7x7x8xf32>
  // GENERIC: "qti_aisw.Conv2d"(%{{.+}}, %{{.+}}) <{{{.*}}dilation = array<i64: 1, 1>{{.*}}}> : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x7x7x8xf32>
  %bare = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 1, 1>} : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x7x7x8xf32>
  // CHECK: qti_aisw.Conv2d(%x, %w, bias = %b) {stride = array<i64: 2, 2>} :
  %full = qti_aisw.Conv2d(%x, %w, bias = %b) {stride = array<i64: 2, 2>} : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  // CHECK: qti_aisw.Relu([[BARE]]) {htp.name = "relu/out:0"} :
  %named = qti_aisw.Relu(%bare) {htp.name = "relu/out:0"} : (tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  func.return
}

// An optional operand keeps its name where one before it is absent.
// CHECK-LABEL: func.func @norm
func.func @norm(%x: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // CHECK: qti_aisw.LayerNorm(%x, beta = %b) {axes = array<i64: 1>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // GENERIC: "qti_aisw.LayerNorm"(%{{.+}}, %{{.+}}) <{{{.*}}operandSegmentSizes = array<i32: 1, 0, 1>{{.*}}}>
  %y = qti_aisw.LayerNorm(%x, beta = %b) {axes = array<i64: 1>, epsilon = 1.0e-05 : f32} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  func.return
}

// A quantised constant holds stored integers; truth values print as such.
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: qti_aisw.Const dense<[0, 255]> : tensor<2xui8> -> tensor<2x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %q = qti_aisw.Const dense<[0, 255]> : tensor<2xui8> -> tensor<2x!quant.uniform<u8:f32, 0.5:128>>
  // CHECK: qti_aisw.Const dense<true> : tensor<i1> -> tensor<i1>
  %r = qti_aisw.Const dense<true> : tensor<i1> -> tensor<i1>
  func.return
}
