// RUN: htp-opt %s -p htp-assign-places,htp-realise-places | filecheck %s

// Tensor properties say where an op wants its tensors. A layer takes activations in croutons and weights
// flat, both in TCM, and its bias from main memory; a dense layer behind it takes rows, which are flat.
// Only flat tensors are copied; their layout changes in TCM, where the dense layer also reads the rows.

// CHECK: %[[B:.*]] = htp.Reshape(%b) : {{.*}} -> tensor<1x1x1x32xf32, #htp.place<flat, ddr>>
// CHECK: %[[COPY:.*]] = htp.flat_to_vtcm(
// CHECK: %[[X:.*]] = htp.ForceFormat_Crouton(%[[COPY]]) : {{.*}} -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
// CHECK: %[[W:.*]] = htp.flat_to_vtcm(
// CHECK: %[[Y:.*]] = htp.ConvLayer_valid(%[[X]], %[[W]], %{{.*}}, %[[B]]) {{.*}} -> tensor<1x6x6x32xf32, #htp.place<crouton, tcm>>
// CHECK: %[[ROWS:.*]] = htp.ForceFormat_Flat(%[[Y]]) : {{.*}} -> tensor<1x6x6x32xf32, #htp.place<flat, tcm>>
// CHECK: htp.FullyConnected(%[[ROWS]], {{.*}} -> tensor<1x6x6x8xf32, #htp.place<flat, tcm>>
func.func @main(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x32x32xf32>, %b: tensor<32xf32>, %v: tensor<8x32xf32>, %c: tensor<8xf32>) -> tensor<1x6x6x8xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = htp.Reshape(%w) : (tensor<3x3x32x32xf32>) -> tensor<3x3x32x32xf32>
  %2 = htp.Reshape(%b) : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %3 = htp.Reshape(%v) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
  %4 = htp.Reshape(%c) : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %5 = htp.ConvLayer_valid(%0, %1, %s, %2) : (tensor<1x8x8x32xf32>, tensor<3x3x32x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>) -> tensor<1x6x6x32xf32>
  %6 = htp.FullyConnected(%5, %3, %4) : (tensor<1x6x6x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x8xf32>) -> tensor<1x6x6x8xf32>
  %7 = htp.Reshape(%6) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %7 : tensor<1x6x6x8xf32>
}
