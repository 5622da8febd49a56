// RUN: htp-opt %s -p 'htp-keep-home{tcm-bytes=20477},htp-assign-places' | filecheck %s --check-prefix MARKED
// RUN: htp-opt %s -p 'htp-keep-home{tcm-bytes=20478},htp-assign-places' | filecheck %s --check-prefix FITS

// An op that does not fit the TCM is marked, and then all of its tensors are flat in main memory. A Relu
// takes twice 8192 bytes, and up to 2047 more for each to begin at a chunk.

// MARKED: htp.Relu({{.*}}) {htp.home} : {{.*}} -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
// FITS-NOT: htp.home
// FITS:   htp.Relu({{.*}} -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %2 : tensor<1x8x8x32xf32>
}
