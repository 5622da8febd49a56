// RUN: htp-opt %s -p 'htp-schedule{tcm-bytes=1048576}' | filecheck %s

// Two tiles, written stage by stage: both inputs would be alive at once. In execution order the
// first tile is finished before the second begins.

func.func @main(%x: tensor<4x512xf32>, %w: tensor<4x512xf32>) -> (tensor<4x512xf32>, tensor<4x512xf32>) {
  %0 = htp.Reshape(%x) : (tensor<4x512xf32>) -> tensor<1x1x4x512xf32, #htp.place<flat, ddr>>
  %1 = htp.Reshape(%w) : (tensor<4x512xf32>) -> tensor<1x1x4x512xf32, #htp.place<flat, ddr>>
  %2 = htp.flat_to_vtcm(%0) : (tensor<1x1x4x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x512xf32, #htp.place<flat, tcm>>
  %3 = htp.flat_to_vtcm(%1) : (tensor<1x1x4x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x4x512xf32, #htp.place<flat, tcm>>
  %4 = htp.Relu(%2) : (tensor<1x1x4x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x512xf32, #htp.place<flat, tcm>>
  %5 = htp.Relu(%3) : (tensor<1x1x4x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x512xf32, #htp.place<flat, tcm>>
  %6 = htp.flat_from_vtcm(%4) : (tensor<1x1x4x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x512xf32, #htp.place<flat, ddr>>
  %7 = htp.flat_from_vtcm(%5) : (tensor<1x1x4x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x4x512xf32, #htp.place<flat, ddr>>
  %8 = htp.Reshape(%6) : (tensor<1x1x4x512xf32, #htp.place<flat, ddr>>) -> tensor<4x512xf32>
  %9 = htp.Reshape(%7) : (tensor<1x1x4x512xf32, #htp.place<flat, ddr>>) -> tensor<4x512xf32>
  func.return %8, %9 : tensor<4x512xf32>, tensor<4x512xf32>
}

// CHECK:      htp.Reshape(%x)
// CHECK-NEXT: htp.flat_to_vtcm
// CHECK-NEXT: htp.Relu
// CHECK-NEXT: %[[OUT:.*]] = htp.flat_from_vtcm
// CHECK-NEXT: htp.Reshape(%w)
// CHECK-NEXT: htp.flat_to_vtcm
// CHECK-NEXT: htp.Relu
// CHECK-NEXT: %[[LAST:.*]] = htp.flat_from_vtcm
// CHECK-NEXT: %[[FIRST:.*]] = htp.Reshape(%[[OUT]])
// CHECK-NEXT: %[[SECOND:.*]] = htp.Reshape(%[[LAST]])
// CHECK-NEXT: func.return %[[FIRST]], %[[SECOND]]
