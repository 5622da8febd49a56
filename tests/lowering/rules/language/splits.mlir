// RUN: htp-opt %s --package %S/splits.cpp -p 'htp-rules{last=MIDDLE-1},dce' | filecheck %s

// AUTOSPLIT builds its replacement for each slice of a dim and joins the results; TYPICAL_SLICE is what
// the slice reads of an operand. splits.cpp cuts 7 rows into 3, 3 and 1.

// CHECK: %[[X:.*]] = htp.Reshape(%x)
// CHECK: %[[PART:.*]] = htp.Slice_shape(%[[X]], {{.*}} -> tensor<1x3x8x4xf32>
// CHECK: %[[A:.*]] = htp.Neg(%[[PART]]) : {{.*}} -> tensor<1x3x8x4xf32>
// CHECK: %[[B:.*]] = htp.Neg({{.*}} -> tensor<1x3x8x4xf32>
// CHECK: %[[C:.*]] = htp.Neg({{.*}} -> tensor<1x1x8x4xf32>
// CHECK: htp.Concat(%{{.*}}, %[[A]], %[[B]], %[[C]]) : {{.*}} -> tensor<1x7x8x4xf32>
func.func @main(%x: tensor<1x7x8x4xf32>) -> tensor<1x7x8x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x7x8x4xf32>) -> tensor<1x7x8x4xf32>
  %1 = htp.Neg(%0) : (tensor<1x7x8x4xf32>) -> tensor<1x7x8x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x7x8x4xf32>) -> tensor<1x7x8x4xf32>
  func.return %2 : tensor<1x7x8x4xf32>
}
