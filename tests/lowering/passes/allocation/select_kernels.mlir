// RUN: htp-opt %s -p htp-select-kernels | filecheck %s

// The same op gets another kernel where its tensors lie elsewhere; a Reshape is only another view.

func.func @main(%x: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x512xf32>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %1 = htp.Relu(%0) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %2 = htp.flat_to_vtcm(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %3 = htp.Relu(%2) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %4 = htp.flat_from_vtcm(%3) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%4) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x512xf32>
  func.return %y : tensor<1x512xf32>
}

// CHECK-NOT: htp.Reshape({{.*}}) {kernel
// CHECK:     htp.Relu({{.*}}) {kernel = "[[NAME:.*]].PlainFloatTensor"}
// CHECK:     htp.flat_to_vtcm({{.*}}) {kernel = "{{.*}}"}
// CHECK:     htp.Relu({{.*}}) {kernel = "[[NAME]].PlainFloatTensor_TCM"}
