// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// The graph level has element types that HTP lacks: f64, bf16, floats of a byte and less, unsigned
// integers of 64 bits, integers of 4 and 2 bits. They are spelled as upstream does.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<2xf32>) {
  // CHECK: qti_aisw.Const dense<[-8, 7]> : tensor<2xi4> -> tensor<2xi4>
  // GENERIC: "qti_aisw.Const"() <{value = dense<[-8, 7]> : tensor<2xi4>}> : () -> tensor<2xi4>
  %0 = qti_aisw.Const dense<[-8, 7]> : tensor<2xi4> -> tensor<2xi4>
  // CHECK: qti_aisw.Const dense<[3.000000e+00, -6.000000e+00]> : tensor<2xf4E2M1FN> ->
  %1 = qti_aisw.Const dense<[3.0, -6.0]> : tensor<2xf4E2M1FN> -> tensor<2xf4E2M1FN>
  // CHECK: qti_aisw.Const dense<"0x7FFF"> : tensor<2xf8E4M3FN> ->
  %2 = qti_aisw.Const dense<[0x7F, 0xFF]> : tensor<2xf8E4M3FN> -> tensor<2xf8E4M3FN>
  // CHECK: qti_aisw.Const dense<[18446744073709551615, 0]> : tensor<2xui64> ->
  %3 = qti_aisw.Const dense<[18446744073709551615, 0]> : tensor<2xui64> -> tensor<2xui64>
  // CHECK: [[B:%.+]] = qti_aisw.Cast(%x) {to = bf16} : (tensor<2xf32>) -> tensor<2xbf16>
  %4 = qti_aisw.Cast(%x) {to = bf16} : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: qti_aisw.ElementWiseAdd([[B]], [[B]]) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  %5 = qti_aisw.ElementWiseAdd(%4, %4) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  // CHECK: qti_aisw.Cast([[B]]) {to = f8E8M0FNU} : (tensor<2xbf16>) -> tensor<2xf8E8M0FNU>
  %6 = qti_aisw.Cast(%4) {to = f8E8M0FNU} : (tensor<2xbf16>) -> tensor<2xf8E8M0FNU>
  func.return
}

// -----

// ERROR: qti_aisw.ElementWiseAdd: operand 'b' is Float32, 'a' is BFloat16; they must be equal
%x, %y = "test.op"() : () -> (tensor<2xbf16>, tensor<2xf32>)
%z = qti_aisw.ElementWiseAdd(%x, %y) : (tensor<2xbf16>, tensor<2xf32>) -> tensor<2xbf16>

// -----

// ERROR: element type f8E4M3 is not supported; allowed are f32, f16, i1, {{.*}}, bf16, f8E4M3FN,
%x = "test.op"() : () -> tensor<2xf32>
%y = qti_aisw.Cast(%x) {to = f8E4M3} : (tensor<2xf32>) -> tensor<2xf8E4M3>

// -----

// ERROR: htp.Relu: operand 'in' is BFloat16, which no tensor on HTP is
%x = "test.op"() : () -> tensor<1x1x1x2xbf16>
%y = htp.Relu(%x) : (tensor<1x1x1x2xbf16>) -> tensor<1x1x1x2xbf16>
