// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=32768}' | filecheck %s
// RUN: htp-run %s -p 'htp-lower{tcm-bytes=32768}' --check

// A tile of a transposed convolution of stride 7 has at least 14 columns of all rows. Where none fits
// the TCM it runs from main memory, as its mark says, and what follows is cut into tiles all the same.

func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x56x56x8xf32> {
  %w = qti_aisw.Const dense<0.5> : tensor<7x7x4x8xf32> -> tensor<7x7x4x8xf32>
  %b = qti_aisw.Const dense<0.0> : tensor<8xf32> -> tensor<8xf32>
  %0 = qti_aisw.TransposeConv2d(%x, %w, bias = %b) {stride = array<i64: 7, 7>} : (tensor<1x8x8x4xf32>, tensor<7x7x4x8xf32>, tensor<8xf32>) -> tensor<1x56x56x8xf32>
  %1 = qti_aisw.Sigmoid(%0) : (tensor<1x56x56x8xf32>) -> tensor<1x56x56x8xf32>
  func.return %1 : tensor<1x56x56x8xf32>
}

// CHECK:       htp.TransposeConvLayer_valid({{.*}}) {kernel = {{.*}}, htp.home} : {{.*}} -> tensor<1x56x56x8xf32, #htp.place<flat, ddr>>
// CHECK:       htp.Sigmoid({{.*}} -> tensor<1x56x2x8xf32, #htp.place<crouton, tcm, {{.*}}>>
// CHECK:       htp.Sigmoid({{.*}} -> tensor<1x56x2x8xf32, #htp.place<crouton, tcm, {{.*}}>>
