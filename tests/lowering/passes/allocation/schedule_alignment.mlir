// RUN: htp-opt %s -p htp-schedule | filecheck %s
// RUN: htp-opt %s -p 'htp-schedule{alignment=32}' | filecheck %s

// A tensor in TCM takes whole multiples of the alignment. Two rows of 32 bytes take 2048 each unless
// said otherwise, so that to have both of them there beside a result is the peak, and each is finished
// before the next begins. At an alignment of 32 bytes the peak is at the large tensor, whatever the
// order of the rows: then fewer bytes are alive where one row is finished before the next.

// CHECK:      htp.Neg
// CHECK:      htp.flat_to_vtcm(%[[A:.*]]) : {{.*}}1x1x1x8
// CHECK-NEXT: htp.Relu
// CHECK:      htp.flat_to_vtcm(%[[B:.*]]) : {{.*}}1x1x1x8
// CHECK-NEXT: htp.Relu
func.func @main(%x: tensor<512xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<512xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = htp.Reshape(%x) : (tensor<512xf32>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %2 = htp.Neg(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %3 = htp.flat_from_vtcm(%2) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %4 = htp.Reshape(%a) : (tensor<8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %5 = htp.Reshape(%b) : (tensor<8xf32>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %6 = htp.flat_to_vtcm(%4) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %7 = htp.flat_to_vtcm(%5) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %8 = htp.Relu(%6) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %9 = htp.Relu(%7) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, tcm>>
  %10 = htp.flat_from_vtcm(%8) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %11 = htp.flat_from_vtcm(%9) : (tensor<1x1x1x8xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x8xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%3) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<512xf32>
  %c = htp.Reshape(%10) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<8xf32>
  %d = htp.Reshape(%11) : (tensor<1x1x1x8xf32, #htp.place<flat, ddr>>) -> tensor<8xf32>
  func.return %y, %c, %d : tensor<512xf32>, tensor<8xf32>, tensor<8xf32>
}
