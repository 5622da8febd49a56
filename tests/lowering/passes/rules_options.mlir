// RUN: htp-opt %s -p 'htp-rules{last=TILING},dce' | filecheck %s --check-prefix WHOLE
// RUN: htp-opt %s -p 'htp-rules{last=TILING options="tcm_size_for_tiling=40000"},dce' | filecheck %s --check-prefix TILED
// RUN: not htp-opt %s -p 'htp-rules{options="tile_heigt=4"}' 2>&1 | filecheck %s --check-prefix WRONG

// Graph options are numbers that rules read: this one bounds the bytes of an op that stays whole. A name
// that no rule reads is refused.

// WHOLE:      htp.Relu({{.*}}) : (tensor<1x16x16x32xf32>)
// TILED:      htp.Relu({{.*}}) : (tensor<1x8x16x32xf32>)
// TILED:      htp.Concat
// WRONG:      graph option 'tile_heigt': no rule knows it
// WRONG-NEXT: tile_height
func.func @main(%x: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  func.return %2 : tensor<1x16x16x32xf32>
}
