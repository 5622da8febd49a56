// RUN: htp-opt %s -p 'htp-better-tiling{tiles=[htp-plan-tiles{tcm-bytes=65536},htp-rules{first=TILING last=MIDDLE-1 tcm-bytes=65536}] rest=[htp-assign-places{tcm-bytes=65536},htp-realise-places{tcm-bytes=65536},htp-check-level{level=placed}]}' | filecheck %s --check-prefix TILED
// RUN: not htp-opt %s -p 'htp-better-tiling{tiles=[cse] rest=[no-such-pass]}' 2>&1 | filecheck %s --check-prefix UNKNOWN

// An op that is cut for 64 KiB of TCM, where whole it would run from main memory. Its tiles move what has
// to move and no more, so that no other plan is tried.

// TILED-COUNT-8: htp.Relu({{.*}} -> tensor<1x2x16x128xf32, #htp.place<flat, tcm>>
// TILED-NOT:     htp.Relu

// UNKNOWN:      pass pipeline: unknown pass 'no-such-pass'
func.func @main(%x: tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32>
  %1 = htp.Relu(%0) : (tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32>
  %2 = htp.Reshape(%1) : (tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32>
  func.return %2 : tensor<1x16x16x128xf32>
}
