// RUN: htp-opt %s | filecheck %s
// RUN: htp-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --print-op-generic | htp-opt - | filecheck %s

// Constants keep their bits in text. A float in hex is its bits, as in upstream's text; infinities and NaNs
// are printed as the bytes of the data, lowest first, which every reader takes for the same.

// CHECK-LABEL: func.func @main
// GENERIC-LABEL: sym_name = "main"
func.func @main() {
  // CHECK: qti_aisw.Const dense<"0x000080FF"> : tensor<2xf32>
  // GENERIC: value = dense<"0x000080FF"> : tensor<2xf32>
  %inf = qti_aisw.Const dense<0xFF800000> : tensor<2xf32> -> tensor<2xf32>
  // CHECK: qti_aisw.Const dense<"0x003C007C017C"> : tensor<3xf16>
  // GENERIC: value = dense<"0x003C007C017C"> : tensor<3xf16>
  %nan = qti_aisw.Const dense<[1.0, 0x7C00, 0x7C01]> : tensor<3xf16> -> tensor<3xf16>
  // CHECK: qti_aisw.Const dense<[0.000000e+00, -0.000000e+00, 1234567.0]> : tensor<3xf32>
  // GENERIC: value = dense<[0.000000e+00, -0.000000e+00, 1234567.0]> : tensor<3xf32>
  %zeros = qti_aisw.Const dense<[0.0, -0.0, 0x4996B438]> : tensor<3xf32> -> tensor<3xf32>
  // CHECK: qti_aisw.Const dense<[true, false, true, true]> : tensor<4xi1>
  %bits = qti_aisw.Const dense<"0x0D"> : tensor<4xi1> -> tensor<4xi1>
  // CHECK: array<f32: 1.000000e+00, 0x7F800000>
  // CHECK: bound = 0x7FC00001 : f32
  func.return {list = array<f32: 1.0, 0x7f800000>, bound = 0x7FC00001 : f32}
}
