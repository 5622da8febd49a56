// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=4K}' --split-input-file --elide-constants 16 | filecheck %s

// Every step of a sequence reads all recurrent weights. Where they do not fit the TCM, those of as
// many elements of the state as fit stay there; the others are read from main memory.

// CHECK-LABEL: func.func @main
// CHECK:       %[[PINNED:.*]] = htp.Const {{.*}} : tensor<1x1x80x12xf32> ->
// CHECK:       %[[REST:.*]] = htp.Const {{.*}} : tensor<1x1x80x8xf32> ->
// CHECK:       %[[COPY:.*]] = htp.flat_to_vtcm(%[[PINNED]])
// CHECK:       htp.Lstm.pinned(%{{.*}}, %{{.*}}, %[[REST]], {{.*}}, %[[COPY]]) {kernel = "lstm_pinned
func.func @main(%x: tensor<30x1x4xf32>) -> tensor<30x1x1x20xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<1x80x4xf32> -> tensor<1x80x4xf32>
  %r = qti_aisw.Const dense<0.25> : tensor<1x80x20xf32> -> tensor<1x80x20xf32>
  %y, %h, %c = qti_aisw.Lstm(%x, %w, %r) {hidden_size = 20 : i64} : (tensor<30x1x4xf32>, tensor<1x80x4xf32>, tensor<1x80x20xf32>) -> (tensor<30x1x1x20xf32>, tensor<1x1x20xf32>, tensor<1x1x20xf32>)
  func.return %y : tensor<30x1x1x20xf32>
}

// -----

// Two directions become a layer each, so that the weights of one of them fit.

// CHECK-LABEL:   func.func @both
// CHECK-COUNT-2: htp.Gru({{.*}} tensor<1x1x48x16xf32, #htp.place<flat, tcm, 0>>
// CHECK-NOT:     htp.Gru
// CHECK:         htp.Concat
func.func @both(%x: tensor<30x1x4xf32>) -> tensor<30x2x1x16xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<2x48x4xf32> -> tensor<2x48x4xf32>
  %r = qti_aisw.Const dense<0.25> : tensor<2x48x16xf32> -> tensor<2x48x16xf32>
  %y, %h = qti_aisw.Gru(%x, %w, %r) {direction = #qti_aisw.direction<bidirectional>, hidden_size = 16 : i64} : (tensor<30x1x4xf32>, tensor<2x48x4xf32>, tensor<2x48x16xf32>) -> (tensor<30x2x1x16xf32>, tensor<2x1x16xf32>)
  func.return %y : tensor<30x2x1x16xf32>
}
