// RUN: htp rules stats %s -p 'htp-rules{first=EARLY last=MIDDLE}' | filecheck %s
// RUN: htp rules stats --format=json %s -p 'htp-rules{first=EARLY last=MIDDLE}' | filecheck %s --check-prefix JSON
// RUN: htp rules stats %s -p 'htp-rules{first=EARLY last=MIDDLE},htp-rules{first=EARLY last=MIDDLE}' | filecheck %s --check-prefix TWICE
// RUN: not htp rules stats --format=xml %s 2>&1 | filecheck %s --check-prefix XML

// One Relu is taken into the layer before it, the other is not. The line of a rule ends in the places
// where it fired.

// CHECK:      attempts  matches refusals  firings       ms  rule
// CHECK-NEXT: 1        1        0        1 {{ *[0-9.]+}}  EARLY+2 Relu ({{.*}}fusion.py:{{[0-9]+}}, {{[12]..}} rule) at {{.*}}rule_stats.mlir:{{[0-9]+}}:3{{$}}
// CHECK:      1        1        1        0 {{ *[0-9.]+}}  TILING tile FullyConnected.clamp along H ({{.*}})
// CHECK:      {{[0-9.]+}}  all
// CHECK-NEXT: more rules met no op to be tried at

// JSON:      [
// JSON:      {"rule": "Relu", "where": "{{.*}}fusion.py:{{[0-9]+}}", "nth": {{[12]}}, "group": "EARLY+2", "attempts": 1, "matches": 1, "refusals": 0, "firings": 1, "seconds": {{[0-9.e-]+}}, "fired at": ["{{.*}}rule_stats.mlir:{{[0-9]+}}:3"]}
// JSON:      ]

// The counts of both passes are added up: what fires in the first is gone in the second.

// TWICE: 1        1        0        1 {{ *[0-9.]+}}  EARLY+2 Relu
// TWICE: 2        2        2        0 {{ *[0-9.]+}}  TILING tile FullyConnected.clamp along H

// XML: --format: invalid choice: 'xml'

func.func @main(%x: tensor<1x1x2x4xf32>, %w: tensor<1x1x8x4xf32>) -> tensor<1x1x2x8xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
  %1 = htp.Reshape(%w) : (tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %b = htp.Const dense<0.5> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32>
  %f = htp.FullyConnected(%0, %1, %b) : (tensor<1x1x2x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x2x8xf32>
  %y = htp.Relu(%f) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %z = htp.Relu(%y) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %2 = htp.Reshape(%z) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  func.return %2 : tensor<1x1x2x8xf32>
}
