// RUN: htp-opt %s -p convert-qti-aisw-to-htp --split-input-file | filecheck %s

// Each two of 8 heads share a head of keys. Native attention broadcasts along dims of 1, so the four
// groups become batch entries of two heads; the mask, which is the same for all, stays.

// CHECK-LABEL: func.func @groups
// CHECK-DAG:   %[[Q:.*]] = htp.Reshape(%{{.*}}) : (tensor<1x8x16x32xf32>) -> tensor<4x2x16x32xf32>
// CHECK-DAG:   %[[K:.*]] = htp.Reshape(%{{.*}}) : (tensor<1x4x24x32xf32>) -> tensor<4x1x24x32xf32>
// CHECK:       %[[OUT:.*]] = htp.Attention(%[[Q]], %[[K]], {{.*}} tensor<1x1x16x24xf32>, {{.*}} -> tensor<4x2x16x32xf32>
// CHECK:       htp.Reshape(%[[OUT]]) : (tensor<4x2x16x32xf32>) -> tensor<1x8x16x32xf32>
func.func @groups(%q: tensor<1x8x16x32xf32>, %k: tensor<1x4x24x32xf32>, %m: tensor<16x24xf32>) -> tensor<1x8x16x32xf32> {
  %0 = qti_aisw.Attention(%q, %k, %k, mask = %m) {scale = 0.5 : f32} : (tensor<1x8x16x32xf32>, tensor<1x4x24x32xf32>, tensor<1x4x24x32xf32>, tensor<16x24xf32>) -> tensor<1x8x16x32xf32>
  func.return %0 : tensor<1x8x16x32xf32>
}

// -----

// A head of keys for all goes as it is. Without a mask, zero is added.

// CHECK-LABEL: func.func @shared
// CHECK:       %[[Q:.*]] = htp.Reshape(%q)
// CHECK:       %[[K:.*]] = htp.Reshape(%k)
// CHECK:       %[[ZERO:.*]] = htp.Const dense<0.000000e+00> : tensor<1x1x1x1xf32>
// CHECK:       htp.Attention(%[[Q]], %[[K]], %[[K]], %[[ZERO]], {{.*}} -> tensor<1x8x16x32xf32>
func.func @shared(%q: tensor<1x8x16x32xf32>, %k: tensor<1x1x24x32xf32>) -> tensor<1x8x16x32xf32> {
  %0 = qti_aisw.Attention(%q, %k, %k) : (tensor<1x8x16x32xf32>, tensor<1x1x24x32xf32>, tensor<1x1x24x32xf32>) -> tensor<1x8x16x32xf32>
  func.return %0 : tensor<1x8x16x32xf32>
}
