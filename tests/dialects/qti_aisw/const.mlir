// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Constants of the graph. Of a quantised one the value holds stored integers: 0.5 * (129 - 128) is
// the real number 0.5.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms() {
  // CHECK: qti_aisw.Const dense<{{\[\[}}1.0{{.*}}, 2.0{{.*}}]]> : tensor<1x2xf32> -> tensor<1x2xf32>
  // GENERIC: "qti_aisw.Const"() <{value = dense<{{\[\[}}1.0{{.*}}, 2.0{{.*}}]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %0 = qti_aisw.Const dense<[[1.0, 2.0]]> : tensor<1x2xf32> -> tensor<1x2xf32>
  // CHECK: qti_aisw.Const dense<129> : tensor<4xui8> -> tensor<4x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %1 = qti_aisw.Const dense<129> : tensor<4xui8> -> tensor<4x!quant.uniform<u8:f32, 0.5:128>>
  func.return
}

// -----

// ERROR: qti_aisw.Const: (C1) value has shape 4, the result 2x2; they must be equal
%y = qti_aisw.Const dense<1.0> : tensor<4xf32> -> tensor<2x2xf32>

// -----

// ERROR: qti_aisw.Const: (C2) value is stored as Int8, the result as uint8
%y = qti_aisw.Const dense<1> : tensor<4xi8> -> tensor<4x!quant.uniform<u8:f32, 0.5>>
