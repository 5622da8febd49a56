// RUN: htp-opt %s -p qti-narrow | filecheck %s
// RUN: htp-run %s -p htp-lower --check
// RUN: htp-run %s -p qti-narrow --check

// Numbers that only pass through f64 pass through the type that they come from: moves, choices and
// comparisons in between give the same. Constants follow where that type holds them.

// CHECK-NOT: f64
// CHECK:      func.func @main(%x: tensor<2x3xf32> {htp.name = "x"})
// CHECK-NEXT:   %[[W:.*]] = qti_aisw.Const dense<[[1.000000e+00, -5.000000e-01]]> : tensor<1x2xf32>
// CHECK-NEXT:   %[[T:.*]] = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:   %[[M:.*]] = qti_aisw.ElementWiseMaximum(%[[T]], %[[W]])
// CHECK-NEXT:   %[[B:.*]] = qti_aisw.ElementWiseLess(%[[T]], %[[M]]) : {{.*}} -> tensor<3x2xi1>
// CHECK-NEXT:   %[[H:.*]] = qti_aisw.Cast(%[[M]]) {to = f16}
// CHECK-NEXT:   func.return %[[M]], %[[B]], %[[H]]
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<3x2xf32>, tensor<3x2xi1>, tensor<3x2xf16>) {
  %w = qti_aisw.Const dense<[[1.0, -0.5]]> : tensor<1x2xf64> -> tensor<1x2xf64>
  %0 = qti_aisw.Cast(%x) {to = f64} : (tensor<2x3xf32>) -> tensor<2x3xf64>
  %1 = qti_aisw.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %2 = qti_aisw.ElementWiseMaximum(%1, %w) : (tensor<3x2xf64>, tensor<1x2xf64>) -> tensor<3x2xf64>
  %3 = qti_aisw.ElementWiseLess(%1, %2) : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xi1>
  %4 = qti_aisw.Cast(%2) {to = f32} : (tensor<3x2xf64>) -> tensor<3x2xf32>
  %5 = qti_aisw.Cast(%2) {to = f16} : (tensor<3x2xf64>) -> tensor<3x2xf16>
  func.return %4, %3, %5 : tensor<3x2xf32>, tensor<3x2xi1>, tensor<3x2xf16>
}
