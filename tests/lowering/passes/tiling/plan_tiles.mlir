// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536}' --split-input-file | filecheck %s
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536},htp-rules{first=TILING last=TILING},htp-rules{first=MIDDLE},dce' --split-input-file | filecheck %s --check-prefix=TILES
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536},htp-schedule' --split-input-file | filecheck %s --check-prefix=ORDERED

// Two ops go tile by tile: the second leads, each tile of the first is read by one of the second.

// CHECK-LABEL: func.func @chain
// CHECK:       htp.Relu({{.*}}) {htp.tile = [array<i64: 1, [[ROWS:[0-9]+]]>], htp.layout = "flat", htp.in_step}
// CHECK:       htp.Tanh({{.*}}) {htp.tile = [array<i64: 1, [[ROWS]]>], htp.layout = "flat", htp.drained}

// The order is the last that heeds the plan.

// ORDERED-LABEL: func.func @chain
// ORDERED-NOT:   htp.tile
// ORDERED-NOT:   htp.in_step
// ORDERED:       func.return

// TILES-LABEL: func.func @chain
// TILES-NOT:   htp.Concat
// TILES:       %[[X:.*]] = htp.Slice_shape
// TILES-NEXT:  %[[Y:.*]] = htp.Relu(%[[X]]) {htp.tile = [], htp.in_step, htp.layout = "flat"}
// TILES:       htp.Tanh(%[[Y]]) {htp.tile = [], htp.layout = "flat"}
// TILES:       htp.Concat
func.func @chain(%x: tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  %1 = htp.Relu(%0) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  %2 = htp.Tanh(%1) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  %3 = htp.Reshape(%2) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  func.return %3 : tensor<1x64x8x128xf32>
}

// -----

// What fits has no plan.

// CHECK-LABEL: func.func @small
// CHECK:       htp.Relu(%{{.*}}) {htp.layout = "flat"} : (tensor<1x8x8x32xf32>)
func.func @small(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %2 : tensor<1x8x8x32xf32>
}
