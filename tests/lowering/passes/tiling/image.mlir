// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=262144}' | filecheck %s
// RUN: htp-run %s -p 'htp-lower{tcm-bytes=262144}' --check | filecheck %s --check-prefix SAME

// The depth of what a pool makes is spread over blocks of pixels, which the next pool reads. All of it takes
// 256 KiB, as much as there is TCM. A tile of it, 8 columns, is made of the tile in front and read by
// the tile behind, in croutons in TCM. Layouts change in TCM, each tile of the result by itself.

// CHECK-LABEL: func.func @main
// CHECK-NOT:   ForceFormat
// CHECK:       %[[WIDE:.*]] = htp.MaxPool_valid({{.*}} -> tensor<1x16x4x128xf32, #htp.place<crouton, tcm, {{[0-9]+}}>>
// CHECK:       %[[SPREAD:.*]] = htp.DepthToSpace_shape(%[[WIDE]], {{.*}} -> tensor<1x32x8x32xf32, #htp.place<crouton, tcm, {{[0-9]+}}>>
// CHECK:       %[[TILE:.*]] = htp.MaxPool_valid(%[[SPREAD]]
// CHECK:       htp.ForceFormat_Flat(%[[TILE]]) {{.*}} -> tensor<1x16x4x32xf32, #htp.place<flat, tcm, {{[0-9]+}}>>
// CHECK-COUNT-7: htp.DepthToSpace_shape(
// CHECK-NOT:   ForceFormat_Crouton
func.func @main(%x: tensor<1x32x64x128xf32> {htp.name = "x"}) -> (tensor<1x16x32x32xf32> {htp.name = "y"}) {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x32x64x128xf32>) -> tensor<1x16x32x128xf32>
  %1 = qti_aisw.DepthToSpace(%0) {block_size = array<i64: 2, 2>} : (tensor<1x16x32x128xf32>) -> tensor<1x32x64x32xf32>
  %2 = qti_aisw.PoolMax2d(%1) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x32x64x32xf32>) -> tensor<1x16x32x32xf32>
  func.return %2 : tensor<1x16x32x32xf32>
}

// SAME: y: 1x16x32x32
