// RUN: htp-opt %s -p 'htp-rules{first=TILING last=TILING},htp-rules{first=MIDDLE},cse,dce' -o %t.mlir
// RUN: filecheck %s --input-file %t.mlir
// RUN: htp-opt %t.mlir -p 'htp-assign-places,htp-realise-places,cse,dce,htp-in-place' | filecheck %s --check-prefix PLACED
// RUN: htp-opt %t.mlir -p 'htp-assign-places,htp-realise-places,htp-in-place,htp-schedule' | filecheck %s --check-prefix ORDERED

// Two ops one after the other, in tiles of 16 rows and of 8. The plan says of the first that its tiles
// are written to main memory as they are made. They are joined there, so the slices of the second
// stay behind the join, and read their rows from there.

// CHECK-LABEL: func.func @drained
// CHECK:       %[[TOP:.*]] = htp.Relu({{.*}}) {htp.tile = []}
// CHECK:       %[[BOTTOM:.*]] = htp.Relu({{.*}}) {htp.tile = []}
// CHECK:       %[[ALL:.*]] = htp.Concat({{.*}}, %[[TOP]], %[[BOTTOM]]) {htp.drained}
// CHECK:       %[[ROWS:.*]] = htp.Slice_shape(%[[ALL]],
// CHECK:       htp.Tanh(%[[ROWS]])
// CHECK:       htp.Slice_shape(%[[ALL]],
// CHECK:       htp.Slice_shape(%[[ALL]],
// CHECK:       htp.Slice_shape(%[[ALL]],

// The join lies in main memory, flat, and moves no bytes: each tile is written to its place in it.

// PLACED-LABEL: func.func @drained
// PLACED:       %[[TOP:.*]] = htp.flat_from_vtcm(
// PLACED:       %[[BOTTOM:.*]] = htp.flat_from_vtcm(
// PLACED:       %[[ALL:.*]] = htp.Concat({{.*}}, %[[TOP]], %[[BOTTOM]]) {htp.drained, in_place} : {{.*}} -> tensor<1x32x8x32xf32, #htp.place<flat, ddr>>
// PLACED:       %[[ROWS:.*]] = htp.Slice_shape(%[[ALL]], {{.*}} -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
// PLACED:       htp.Tanh(%[[ROWS]])

// A tile leaves before the next one is made. The order is the last that heeds the plan.

// ORDERED-LABEL: func.func @drained
// ORDERED:       %[[TOP:.*]] = htp.Relu(
// ORDERED-NEXT:  htp.flat_from_vtcm(%[[TOP]])
// ORDERED:       htp.Relu(
// ORDERED:       htp.Concat({{.*}}) {in_place}
// ORDERED-NOT:   htp.drained
func.func @drained(%x: tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %1 = htp.Relu(%0) {htp.tile = [array<i64: 1, 16>], htp.drained} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %2 = htp.Tanh(%1) {htp.tile = [array<i64: 1, 8>]} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %3 = htp.Reshape(%2) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  func.return %3 : tensor<1x32x8x32xf32>
}

// Without the mark, the slices take the tiles themselves, which stay in TCM where there is room.

// CHECK-LABEL: func.func @kept
// CHECK:       %[[TOP:.*]] = htp.Relu(
// CHECK:       %[[BOTTOM:.*]] = htp.Relu(
// CHECK:       htp.Slice_shape(%[[TOP]],
// CHECK:       htp.Slice_shape(%[[TOP]],
// CHECK:       htp.Slice_shape(%[[BOTTOM]],
// CHECK:       htp.Slice_shape(%[[BOTTOM]],

// PLACED-LABEL: func.func @kept
// PLACED:       %[[TOP:.*]] = htp.Relu({{.*}} -> tensor<1x16x8x32xf32, #htp.place<flat, tcm>>
// PLACED:       htp.Slice_shape(%[[TOP]],
func.func @kept(%x: tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %1 = htp.Relu(%0) {htp.tile = [array<i64: 1, 16>]} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %2 = htp.Tanh(%1) {htp.tile = [array<i64: 1, 8>]} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %3 = htp.Reshape(%2) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  func.return %3 : tensor<1x32x8x32xf32>
}
