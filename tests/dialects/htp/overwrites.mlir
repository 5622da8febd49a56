// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// `overwrites` names the operand on whose bytes an element-wise op writes its result. It has the
// result's shape, layout and bytes per element, and lies in the same place.

!at0 = tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
!at8192 = tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%a: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>, %b: tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>) {
  // CHECK: htp.Add(%a, %b) {overwrites = 1 : i64} :
  // GENERIC: "htp.Add"(%{{.*}}, %{{.*}}) {overwrites = 1 : i64} :
  %0 = htp.Add(%a, %b) {overwrites = 1 : i64} : (!at0, !at8192) -> !at8192
  // CHECK: htp.Relu(%a) {overwrites = 0 : i64} :
  %1 = htp.Relu(%a) {overwrites = 0 : i64} : (!at0) -> !at0
  func.return
}

// -----

// ERROR: htp.Relu: overwrites operand 0, which lies in another place
%x = "test.op"() : () -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
%y = htp.Relu(%x) {overwrites = 0 : i64} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>

// -----

// ERROR: htp.Add: overwrites operand 1, it may overwrite 0
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
%y = htp.Add(%a, %b) {overwrites = 1 : i64} : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>

// -----

// ERROR: htp.Less: overwrites operand 0, it may overwrite none
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>)
%y = htp.Less(%a, %b) {overwrites = 0 : i64} : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi1>

// -----

// ERROR: htp.Neg: attribute 'overwrites' is "in", it must be the position of an operand
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Neg(%x) {overwrites = "in"} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
