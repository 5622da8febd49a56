// RUN: not htp-opt %s -p 'qti-check-backend{backend=htp}' 2>&1 | filecheck %s
// RUN: not htp-opt %s -p htp-lower 2>&1 | filecheck %s

// HTP has no tensors of some element types of the graph level. Each is named where it comes from:
// the input %a, the constant %w, the casts. %b follows from %a and %g from %f.

// CHECK:      4 errors:
// CHECK-NEXT:   input 'a': has element type bf16, which no tensor on HTP has; export the model with f16 instead, or run qti-retype{old=bf16 new=f16} first
// CHECK-NEXT:   {{.*}}:14:3: %w = qti_aisw.Const: %w has element type i4, which no tensor on HTP has; cast to i8 instead, or run qti-retype{old=i4 new=i8} first
// CHECK-NEXT:   {{.*}}:16:3: %d = qti_aisw.Cast 'widen': %d has element type f64, which no tensor on HTP has; cast to f32 instead, or run qti-retype{old=f64 new=f32} first
// CHECK-NEXT:   {{.*}}:17:3: %f = qti_aisw.Cast: %f has element type f8E5M2, which no tensor on HTP has; cast to f16 instead, or run qti-retype{old=f8E5M2 new=f16} first
func.func @main(%a: tensor<2xbf16> {htp.name = "a"}, %x: tensor<2xf32> {htp.name = "x"}) -> (tensor<2xf64>, tensor<2xf8E5M2>, tensor<2xf32>) {
  %b = qti_aisw.ElementWiseAbs(%a) : (tensor<2xbf16>) -> tensor<2xbf16>
  %w = qti_aisw.Const dense<[1, -8]> : tensor<2xi4> -> tensor<2xi4>
  %c = qti_aisw.Cast(%w) {to = f32} : (tensor<2xi4>) -> tensor<2xf32>
  %d = qti_aisw.Cast(%c) {to = f64, htp.name = "widen"} : (tensor<2xf32>) -> tensor<2xf64>
  %f = qti_aisw.Cast(%b) {to = f8E5M2} : (tensor<2xbf16>) -> tensor<2xf8E5M2>
  %g = qti_aisw.Reshape(%f) {shape = array<i64: 2>} : (tensor<2xf8E5M2>) -> tensor<2xf8E5M2>
  %y = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %d, %g, %y : tensor<2xf64>, tensor<2xf8E5M2>, tensor<2xf32>
}
