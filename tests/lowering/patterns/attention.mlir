// RUN: htp-opt %s -p 'convert-qti-aisw-to-htp,htp-rules{first=MIDDLE last=MIDDLE}' --split-input-file | filecheck %s

// Queries that attend to a window of keys read these alone, and count them from the first one.

// CHECK-LABEL: func.func @far
// CHECK:       %[[Q:.*]] = htp.Reshape(%q)
// CHECK:       %[[K:.*]] = htp.Reshape(%k)
// CHECK:       %[[FROM:.*]] = htp.Shape : !htp.shape<0x0x10x0>
// CHECK:       %[[NEAR:.*]] = htp.Slice_shape(%[[K]], %[[FROM]], {{.*}} -> tensor<1x1x20x8xf32>
// CHECK:       %[[FIRST:.*]] = htp.Const dense<0> : tensor<1x1x1x1xi32>
// CHECK:       %[[LAST:.*]] = htp.Const dense<4> : tensor<1x1x1x1xi32>
// CHECK:       htp.Attention(%[[Q]], %[[NEAR]], {{.*}}, %[[FIRST]], %[[LAST]]) : {{.*}} -> tensor<1x1x16x8xf32>
func.func @far(%q: tensor<1x1x16x8xf32>, %k: tensor<1x1x99x8xf32>) -> tensor<1x1x16x8xf32> {
  %0 = qti_aisw.Attention(%q, %k, %k) {first = 10 : i64, last = 14 : i64} : (tensor<1x1x16x8xf32>, tensor<1x1x99x8xf32>, tensor<1x1x99x8xf32>) -> tensor<1x1x16x8xf32>
  func.return %0 : tensor<1x1x16x8xf32>
}

// -----

// Causal attention to as many keys as there are queries reads them all.

// CHECK-LABEL: func.func @causal
// CHECK-NOT:   htp.Slice_shape
func.func @causal(%q: tensor<1x1x16x8xf32>) -> tensor<1x1x16x8xf32> {
  %0 = qti_aisw.Attention(%q, %q, %q) {last = 0 : i64} : (tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>) -> tensor<1x1x16x8xf32>
  func.return %0 : tensor<1x1x16x8xf32>
}

// -----

// The keys of several heads are no run of bytes: cut, they would be copied.

// CHECK-LABEL: func.func @heads
// CHECK-NOT:   htp.Slice_shape
func.func @heads(%q: tensor<1x2x16x8xf32>, %k: tensor<1x2x99x8xf32>) -> tensor<1x2x16x8xf32> {
  %0 = qti_aisw.Attention(%q, %k, %k) {last = 0 : i64} : (tensor<1x2x16x8xf32>, tensor<1x2x99x8xf32>, tensor<1x2x99x8xf32>) -> tensor<1x2x16x8xf32>
  func.return %0 : tensor<1x2x16x8xf32>
}
