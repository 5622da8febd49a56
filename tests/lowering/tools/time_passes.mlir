// RUN: htp-opt %s -p 'dce,htp-lower' --time-passes 2>&1 | filecheck %s
// RUN: htp-opt %s --time-passes 2>&1 | filecheck %s --check-prefix NONE
// RUN: not htp-opt %s -p 'htp-lower{level=placed},htp-lower{level=native}' --time-passes 2>&1 | filecheck %s --check-prefix FAILED

// The time of each pass, as a tree: passes inside passes, pass groups, and rules that fired. A run
// that fails tells it too.

// CHECK:      {{^}}  seconds       own  share  pass
// CHECK-NEXT: {{ +[0-9.]+ +[0-9.]+}} 100.0%  total
// CHECK-NEXT: {{%    dce$}}
// CHECK-NEXT: {{%    htp-lower$}}
// CHECK-NEXT: {{%      htp-check-level{level=graph}$}}
// CHECK-NEXT: {{%      qti-take-encodings$}}
// CHECK-NEXT: {{%      qti-raise$}}
// CHECK-NEXT: {{%        cse$}}
// CHECK:      {{%      htp-rules{last=EARLY-1}$}}
// CHECK:      {{%        group QNN$}}
// CHECK:      {{%          Conv2d \(.*qnn.py:[0-9]+\), 1 firing$}}
// CHECK:      {{%      htp-plan-tiles$}}

// NONE:       total
// NONE-NEXT:  builtin.module

// FAILED:     {{%      htp-in-place$}}
// FAILED:     {{%    htp-lower{level=native}$}}
// FAILED:     module: is at the placed level, below level=native
func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x4x8xf32> -> tensor<3x3x4x8xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %0 : tensor<1x6x6x8xf32>
}
