// RUN: htp-opt %s -p 'htp-refetch{tcm-bytes=6144}' | filecheck %s
// RUN: htp-opt %s -p 'htp-refetch{tcm-bytes=8192}' | filecheck %s --check-prefix AMPLE
// RUN: htp-opt %s -p 'htp-refetch{tcm-bytes=6144},htp-allocate{tcm-bytes=6144}' | filecheck %s --check-prefix ALLOCATED

// Each tensor takes 2048 bytes, and there is room for three. The half of the input that is read first and
// last leaves for the first sum. It lies in main memory as it was, so it is sliced once more in front
// of its last reader, and not saved. With room for four it stays, and nothing changes.

// CHECK-LABEL:    func.func @sliced
// CHECK:          %[[FIRST:.*]] = htp.Slice_shape(%[[X:[0-9]+]],
// CHECK:          htp.Relu(%[[FIRST]])
// CHECK:          %[[MOST:.*]] = htp.Maximum(
// CHECK-NEXT:     %[[AGAIN:.*]] = htp.Slice_shape(%[[X]],
// CHECK-NEXT:     htp.Mul(%[[MOST]], %[[AGAIN]])

// AMPLE-LABEL:    func.func @sliced
// AMPLE-COUNT-1:  htp.Slice_shape
// AMPLE-NOT:      htp.Slice_shape

// ALLOCATED-LABEL: func.func @sliced
// ALLOCATED-NOT:   htp.Spill
// ALLOCATED:       func.return
func.func @sliced(%x: tensor<1x1x16x64xf32>) -> tensor<1x1x8x64xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x16x64xf32>) -> tensor<1x1x16x64xf32, #htp.place<flat, ddr>>
  %start = htp.Shape : !htp.shape<0x0x8x0>
  %size = htp.Shape : !htp.shape<1x1x8x64>
  %half = htp.Slice_shape(%0, %start, %size) : (tensor<1x1x16x64xf32, #htp.place<flat, ddr>>, !htp.shape<0x0x8x0>, !htp.shape<1x1x8x64>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %1 = htp.Relu(%half) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %2 = htp.Abs(%1) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %3 = htp.Add(%1, %2) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %s = htp.Sub(%3, %1) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %m = htp.Maximum(%s, %2) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %4 = htp.Mul(%m, %half) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %5 = htp.flat_from_vtcm(%4) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%5) : (tensor<1x1x8x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x64xf32>
  func.return %y : tensor<1x1x8x64xf32>
}

// A chain of moves is made again as a whole: rows around the input, in croutons.

// CHECK-LABEL:    func.func @padded
// CHECK:          %[[MOST:.*]] = htp.Maximum(
// CHECK-NEXT:     %[[ROWS:.*]] = htp.SlicePad_shape(
// CHECK-NEXT:     %[[AGAIN:.*]] = htp.ForceFormat_Crouton(%[[ROWS]])
// CHECK-NEXT:     htp.Mul(%[[MOST]], %[[AGAIN]])

// ALLOCATED-LABEL: func.func @padded
// ALLOCATED-NOT:   htp.Spill
// ALLOCATED:       func.return
func.func @padded(%x: tensor<1x6x2x32xf32>) -> tensor<1x8x2x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x6x2x32xf32>) -> tensor<1x6x2x32xf32, #htp.place<flat, ddr>>
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x8x2x32>
  %zero = htp.Const dense<0.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
  %rows = htp.SlicePad_shape(%0, %before, %start, %size, %zero) : (tensor<1x6x2x32xf32, #htp.place<flat, ddr>>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x8x2x32>, tensor<1x1x1x1xf32, #htp.place<flat, ddr>>) -> tensor<1x8x2x32xf32, #htp.place<flat, tcm>>
  %in = htp.ForceFormat_Crouton(%rows) : (tensor<1x8x2x32xf32, #htp.place<flat, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %1 = htp.Relu(%in) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %2 = htp.Abs(%1) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %3 = htp.Add(%1, %2) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>, tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %s = htp.Sub(%3, %1) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>, tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %m = htp.Maximum(%s, %2) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>, tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %4 = htp.Mul(%m, %in) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>, tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>
  %5 = htp.crouton_from_vtcm(%4) : (tensor<1x8x2x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x8x2x32xf32, #htp.place<crouton, ddr>>
  %6 = htp.ForceFormat_Flat(%5) : (tensor<1x8x2x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x2x32xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%6) : (tensor<1x8x2x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x2x32xf32>
  func.return %y : tensor<1x8x2x32xf32>
}

// What an op computes is saved: main memory does not have it.

// CHECK-LABEL:     func.func @computed
// CHECK-COUNT-1:   htp.Exp(
// CHECK-NOT:       htp.Exp(

// ALLOCATED-LABEL: func.func @computed
// ALLOCATED:       %[[SAVED:.*]] = htp.Spill(
// ALLOCATED:       htp.Fill(%[[SAVED]])
func.func @computed(%x: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32, #htp.place<flat, ddr>>
  %in = htp.flat_to_vtcm(%0) : (tensor<1x1x8x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %exp = htp.Exp(%in) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %1 = htp.Relu(%exp) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %2 = htp.Abs(%1) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %3 = htp.Add(%1, %2) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %s = htp.Sub(%3, %1) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %m = htp.Maximum(%s, %2) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %4 = htp.Mul(%m, %exp) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>, tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, tcm>>
  %5 = htp.flat_from_vtcm(%4) : (tensor<1x1x8x64xf32, #htp.place<flat, tcm>>) -> tensor<1x1x8x64xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%5) : (tensor<1x1x8x64xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x64xf32>
  func.return %y : tensor<1x1x8x64xf32>
}
