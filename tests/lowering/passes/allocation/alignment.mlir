// RUN: htp-opt %s -p htp-allocate | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{alignment=32}' | filecheck %s --check-prefix CLOSE

// Tensors in TCM begin at multiples of the alignment, 2048 bytes unless given; these take 32 each.

// CHECK: htp.Relu({{.*}} -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 2048>>
// CHECK: htp.Add({{.*}} -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 4096>>
// CLOSE: htp.Relu({{.*}} -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 32>>
// CLOSE: htp.Add({{.*}} -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 64>>
func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %2 = htp.Relu(%1) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %3 = htp.Add(%2, %1) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>, tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %4 = htp.flat_from_vtcm(%3) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%4) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x8xf32>
  func.return %y : tensor<1x8xf32>
}
