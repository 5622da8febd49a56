// RUN: htp-opt %s -p 'dce,htp-lower' --follow-passes -o %t 2>&1 | filecheck %s --match-full-lines
// RUN: not htp-opt %s -p 'htp-lower{level=placed},htp-lower{level=native}' --follow-passes 2>&1 | filecheck %s --check-prefix FAILED

// A line as each pass ends, inner ones before the pass around them: its time, and what fired in it.

// CHECK:      {{ +[0-9.]+ s  dce}}
// CHECK-NEXT: {{ +[0-9.]+ s  htp-lower > htp-check-level.*}}
// CHECK:      {{ +[0-9.]+ s  htp-lower > htp-rules[{]last=EARLY-1[}]; fired: Conv2d 1.*}}
// CHECK:      {{ +[0-9.]+ s  htp-lower}}

// FAILED:      s  htp-lower{level=native}, failed
// FAILED-NEXT: module: is at the placed level
func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x4x8xf32> -> tensor<3x3x4x8xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %0 : tensor<1x6x6x8xf32>
}
