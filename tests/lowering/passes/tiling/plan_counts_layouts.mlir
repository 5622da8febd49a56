// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=524288}' | filecheck %s

// The boundary of a function is flat, the layer reads croutons: a tile is as large as what it reads
// takes in croutons. 32 rows of 16 columns read 34 rows in croutons of 40, 184,320 bytes, beside 147,456 of
// filters and 131,072 of result.

// CHECK-NOT: htp.ConvLayer_valid({{.*}} -> tensor<1x62x
// CHECK:     htp.ConvLayer_valid({{.*}} -> tensor<1x32x16x64xf32
func.func @main(%x: tensor<1x64x64x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32> {
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x64x64x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32>
  func.return %0 : tensor<1x62x62x64xf32>
}
