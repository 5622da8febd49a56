// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Constants and shapes of the native graph. A constant may have a place; a shape has no data, and a dim
// of it may be 0.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms() {
  // CHECK: htp.Const dense<{{.*}}1.0{{.*}}, 2.0{{.*}}> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32, #htp.place<flat, ddr>>
  // GENERIC: "htp.Const"() <{value = dense<{{.*}}> : tensor<1x1x1x2xf32>}> :
  %0 = htp.Const dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32, #htp.place<flat, ddr>>
  // CHECK: htp.Shape : !htp.shape<0x1x2x1>
  // GENERIC: "htp.Shape"() : () -> !htp.shape<0x1x2x1>
  %1 = htp.Shape : !htp.shape<0x1x2x1>
  func.return
}

// -----

// ERROR: htp.Const: (C1) value has shape 1x1x1x2, the result 1x1x2x1
%0 = htp.Const dense<1.0> : tensor<1x1x1x2xf32> -> tensor<1x1x2x1xf32>

// -----

// ERROR: htp.Const: (C2) value is stored as Float32
%0 = htp.Const dense<1.0> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xi32>
