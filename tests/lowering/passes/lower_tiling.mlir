// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=65536}' | filecheck %s --check-prefix TILES
// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=65536 tiling=false}' | filecheck %s --check-prefix WHOLE

// 131,072 bytes do not fit a TCM of 65,536. The op is cut into four tiles, or, without tiling, it runs
// whole from main memory.

// TILES-COUNT-4: htp.Relu({{.*}} -> tensor<1x4x16x128xf32, #htp.place<flat, tcm, {{[0-9]+}}>>
// TILES-NOT:     htp.Relu
// WHOLE:         htp.Relu({{.*}} -> tensor<1x16x16x128xf32, #htp.place<flat, ddr>>
// WHOLE-NOT:     tcm,
func.func @main(%x: tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32>
  func.return %0 : tensor<1x16x16x128xf32>
}
