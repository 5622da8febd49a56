// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=32768}' | filecheck %s

// Causal attention of 2 heads with 256 queries each. The scores of one head would take 262,144 bytes;
// they are never there as a whole. A tile is 128 queries of one head: it is cut off into TCM, where its
// result is, too. Keys and values stay in main memory; the first tile attends to the first 128 of them alone.
// A block of its scores, 32 queries by 64 keys, lies in the scratch of the kernel, beside queries and result.

// CHECK:       %[[Q:.*]] = htp.Reshape(%q)
// CHECK:       %[[TOP:.*]] = htp.Slice_shape(%[[Q]], {{.*}} -> tensor<1x1x128x16xf32, #htp.place<flat, tcm, {{[0-9]+}}>>
// CHECK:       %[[K:.*]] = htp.Reshape(%k)
// CHECK:       %[[HALF:.*]] = htp.Slice_shape(%[[K]], {{.*}} {in_place} : {{.*}} -> tensor<1x1x128x16xf32, #htp.place<flat, ddr>>
// CHECK:       %[[DIAGONAL:.*]] = htp.Const dense<0> : tensor<1x1x1x1xi32>
// CHECK:       htp.Attention(%[[TOP]], %[[HALF]], {{.*}}, %[[DIAGONAL]]) {kernel = "attention.{{.*}}", scratch = [tensor<1x1x1x3712xf32, #htp.place<flat, tcm, {{[0-9]+}}>>]}

// The second tile begins at query 128, and attends to keys up to 128 after its own number.

// CHECK:       %[[BOTTOM:.*]] = htp.Slice_shape(%[[Q]], {{.*}} -> tensor<1x1x128x16xf32, #htp.place<flat, tcm, {{[0-9]+}}>>
// CHECK:       %[[ALL:.*]] = htp.Slice_shape(%[[K]], {{.*}} {in_place} : {{.*}} -> tensor<1x1x256x16xf32, #htp.place<flat, ddr>>
// CHECK:       %[[MOVED:.*]] = htp.Const dense<128> : tensor<1x1x1x1xi32>
// CHECK:       htp.Attention(%[[BOTTOM]], %[[ALL]], {{.*}}, %[[MOVED]])
// CHECK-COUNT-2: htp.Attention(
// CHECK-NOT:   htp.Attention(
func.func @main(%q: tensor<1x2x256x16xf32>, %k: tensor<1x2x256x16xf32>, %v: tensor<1x2x256x16xf32>) -> tensor<1x2x256x16xf32> {
  %0 = qti_aisw.Attention(%q, %k, %v) {scale = 0.25 : f32, last = 0 : i64} : (tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>) -> tensor<1x2x256x16xf32>
  func.return %0 : tensor<1x2x256x16xf32>
}
