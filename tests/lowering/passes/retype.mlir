// RUN: htp-opt %s -p 'qti-retype{old=bf16 new=f32},qti-retype{old=f64 new=f32}' | filecheck %s
// RUN: htp-run %s -p 'qti-retype{old=bf16 new=f32},qti-retype{old=f64 new=f32},htp-lower' --check
// RUN: not htp-opt %s -p 'qti-retype{old=bf16 new=i32}' 2>&1 | filecheck %s --check-prefix KIND
// RUN: not htp-opt %s -p 'qti-retype{old=f64 new=f16}' 2>&1 | filecheck %s --check-prefix LARGE

// Types that HTP lacks become types that it has: of inputs, results, constants and the target of a
// Cast. A Cast to the type that its operand has by now goes.

// CHECK:      func.func @main(%a: tensor<2xf32> {htp.name = "a"}) -> tensor<2xf32> {
// CHECK-NEXT:   %{{.*}} = qti_aisw.Const dense<[1.000000e+00, 1.000000e+06]> : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:   %[[SUM:.*]] = qti_aisw.ElementWiseAdd(%a, %{{.*}}) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %[[SUM]] : tensor<2xf32>

// KIND: qti-retype: makes no i32 of bf16
// KIND: give one of {{.*}}bf16{{.*}} as old, and as new a type of its kind that HTP has

// LARGE: %w = qti_aisw.Const: has numbers that f16 cannot hold
// LARGE: give qti-retype a wider type as new
func.func @main(%a: tensor<2xbf16> {htp.name = "a"}) -> tensor<2xbf16> {
  %w = qti_aisw.Const dense<[1.0, 1000000.0]> : tensor<2xf64> -> tensor<2xf64>
  %0 = qti_aisw.Cast(%a) {to = f64} : (tensor<2xbf16>) -> tensor<2xf64>
  %1 = qti_aisw.ElementWiseAdd(%0, %w) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %2 = qti_aisw.Cast(%1) {to = bf16} : (tensor<2xf64>) -> tensor<2xbf16>
  func.return %2 : tensor<2xbf16>
}
