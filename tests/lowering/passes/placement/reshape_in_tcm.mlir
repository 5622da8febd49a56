// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=65536}' | filecheck %s

// A Reshape between ops in TCM is another view of the same bytes: nothing goes to main memory and
// back, and the view takes no bytes of its own.

func.func @main(%x: tensor<4x512xf32>) -> tensor<8x256xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %1 = qti_aisw.Softmax(%0) : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %2 = qti_aisw.Reshape(%1) {shape = array<i64: 8, 256>} : (tensor<4x512xf32>) -> tensor<8x256xf32>
  %3 = qti_aisw.Softmax(%2) : (tensor<8x256xf32>) -> tensor<8x256xf32>
  func.return %3 : tensor<8x256xf32>
}

// CHECK:      htp.Relu
// CHECK:      htp.Softmax({{.*}} -> tensor<1x1x4x512xf32, #htp.place<flat, tcm, [[AT:.*]]>>
// CHECK-NEXT: htp.Reshape({{.*}} -> tensor<1x1x8x256xf32, #htp.place<flat, tcm, [[AT]]>>
// CHECK-NOT:  vtcm
// CHECK:      htp.Softmax
// CHECK-NEXT: htp.flat_from_vtcm
