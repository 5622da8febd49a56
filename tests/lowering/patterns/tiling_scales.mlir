// RUN: htp-opt %s -p 'htp-rules{first=TILING last=TILING tcm-bytes=16384},dce' | filecheck %s
// RUN: htp rules explain %s -p 'htp-rules{first=TILING last=TILING tcm-bytes=16384}' --rule 'tile ConvLayer_valid along D' | filecheck %s --check-prefix WHY

// The constraint scales_stay of the tile rules: of what has a scale for each element of a dim, only
// constants are cut along it. The filters of this convolution have one each, and are an input: rows
// are cut, filters are not. Parts of constants take along the scales that are theirs.

// CHECK:     htp.ConvLayer_valid(%{{.*}}, %[[W:.*]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<1x8x8x64x!quant
// CHECK:     htp.ConvLayer_valid(%{{.*}}, %[[W]], {{.*}} -> tensor<1x8x8x64x!quant
// CHECK-NOT: htp.ConvLayer_valid

// WHY: tiling_scales.mlir:18:3: htp.ConvLayer_valid: refused: {{.*}}scales_stay: No node but a constant is quantised along the dim that is to be cut.
!filters = tensor<1x1x32x64x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>
func.func @main(%x: tensor<1x16x8x32x!quant.uniform<u8:f32, 0.1:128>>, %w: !filters) -> tensor<1x16x8x64x!quant.uniform<u8:f32, 0.1:128>> {
  %0 = htp.Reshape(%x) : (tensor<1x16x8x32x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x16x8x32x!quant.uniform<u8:f32, 0.1:128>>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %b = htp.Const dense<0> : tensor<1x1x1x64xi32> -> tensor<1x1x1x64x!quant.uniform<i32:f32, 0.01>>
  %1 = htp.ConvLayer_valid(%0, %w, %s, %b) : (tensor<1x16x8x32x!quant.uniform<u8:f32, 0.1:128>>, !filters, !htp.shape<1x1x1x1>, tensor<1x1x1x64x!quant.uniform<i32:f32, 0.01>>) -> tensor<1x16x8x64x!quant.uniform<u8:f32, 0.1:128>>
  %2 = htp.Reshape(%1) : (tensor<1x16x8x64x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x16x8x64x!quant.uniform<u8:f32, 0.1:128>>
  func.return %2 : tensor<1x16x8x64x!quant.uniform<u8:f32, 0.1:128>>
}
