// RUN: htp-opt %s -p convert-qti-aisw-to-htp --split-input-file | filecheck %s

// A graph op becomes the native op of its name: inputs first, then params as operands. Every
// tensor has rank 4, and an axis moves along; a Reshape stands between them and the signature.

// CHECK-LABEL: func.func @main(%x: tensor<8x6xf32> {htp.name = "x"}) -> (tensor<8xf32> {htp.name = "y"})
// CHECK-NEXT:  %[[X:.*]] = htp.Reshape(%x) : (tensor<8x6xf32>) -> tensor<1x1x8x6xf32>
// CHECK-NEXT:  %[[AXIS:.*]] = htp.Const dense<3>
// CHECK-NEXT:  %[[BETA:.*]] = htp.Const dense<5.0{{.*}}e-01>
// CHECK-NEXT:  %[[SOFT:.*]] = htp.Softmax(%[[X]], %[[AXIS]], %[[BETA]])
// CHECK-NEXT:  %[[AXES:.*]] = htp.Const dense<3>
// CHECK-NEXT:  %[[SUM:.*]] = htp.ReduceSum(%[[SOFT]], %[[AXES]]) : {{.*}} -> tensor<1x1x8x1xf32>
// CHECK-NEXT:  %[[ROW:.*]] = htp.Reshape(%[[SUM]]) : {{.*}} -> tensor<1x1x1x8xf32>
// CHECK-NEXT:  htp.Reshape(%[[ROW]]) : (tensor<1x1x1x8xf32>) -> tensor<8xf32>
func.func @main(%x: tensor<8x6xf32> {htp.name = "x"}) -> (tensor<8xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Softmax(%x) {beta = 0.5 : f32} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = qti_aisw.ReduceSum(%0) {axes = array<i64: -1>} : (tensor<8x6xf32>) -> tensor<8xf32>
  func.return %1 : tensor<8xf32>
}

// -----

// An absent bias becomes zeros; defaults of params are written out; pads are a matrix.

// CHECK-LABEL: func.func @main
// CHECK-DAG:   %[[BIAS:.*]] = htp.Const dense<0.0{{.*}}> : tensor<1x1x1x8xf32>
// CHECK-DAG:   %[[PADS:.*]] = htp.Const dense<{{.*}}[1, 1], [0, 0]{{.*}}> : tensor<1x1x2x2xi32>
// CHECK:       htp.Conv2d(%{{.*}}, %{{.*}}, %[[BIAS]], %{{.*}}, %[[PADS]], %{{.*}}, %{{.*}})
func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x8x6x8xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) {pad_amount = array<i64: 1, 1, 0, 0>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x8x6x8xf32>
  func.return %0 : tensor<1x8x6x8xf32>
}

// -----

// State becomes explicit: read, a step without state, write. An omitted reset is a constant false.

// CHECK:       htp.State @StatefulGru0_h : tensor<1x1x1x4xf32>
// CHECK-LABEL: func.func @main
// CHECK:       %[[RESET:.*]] = htp.Const dense<false>
// CHECK:       %[[OLD:.*]] = htp.StateRead @StatefulGru0_h, %{{.*}}, %[[RESET]]
// CHECK:       %[[Y:.*]], %[[NEW:.*]] = htp.Gru({{.*}}, %[[OLD]], {{.*}})
// CHECK-NEXT:  htp.StateWrite @StatefulGru0_h, %[[NEW]]
// CHECK-NEXT:  htp.Reshape(%[[Y]])
func.func @main(%x: tensor<5x1x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>) -> tensor<5x1x1x4xf32> {
  %y, %h = qti_aisw.StatefulGru(%x, %w, %r) {hidden_size = 4 : i64} : (tensor<5x1x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  func.return %y : tensor<5x1x1x4xf32>
}

// -----

// MaskedSoftmax is no HTP op. With COMPRESSED lengths it takes the numbers of the sequences that
// positions belong to, and masks what belongs to different ones before and after a Softmax.

// CHECK-LABEL: func.func @main
// CHECK:       %[[IDS:.*]] = htp.SequenceIds
// CHECK:       %[[ROWS:.*]] = htp.Reshape(%[[IDS]])
// CHECK-NEXT:  %[[SAME:.*]] = htp.ElementWiseEqual(%[[ROWS]], %[[IDS]])
// CHECK:       %[[VALID:.*]] = htp.ElementWiseLess(%[[IDS]], %{{.*}})
// CHECK-NEXT:  %[[KEEP:.*]] = htp.ElementWiseAnd(%[[SAME]], %[[VALID]])
// CHECK:       %[[MASKED:.*]] = htp.ElementWiseSelect(%[[KEEP]], %{{.*}}, %{{.*}})
// CHECK:       %[[SOFT:.*]] = htp.Softmax(%[[MASKED]], {{.*}})
// CHECK-NEXT:  htp.ElementWiseSelect(%[[KEEP]], %[[SOFT]], %{{.*}})
func.func @main(%x: tensor<2x1x4x4xf32>, %m: tensor<2x2xi32>) -> tensor<2x1x4x4xf32> {
  %y = qti_aisw.MaskedSoftmax(%x, %m) {mode = #qti_aisw.mask_mode<COMPRESSED>} : (tensor<2x1x4x4xf32>, tensor<2x2xi32>) -> tensor<2x1x4x4xf32>
  func.return %y : tensor<2x1x4x4xf32>
}
