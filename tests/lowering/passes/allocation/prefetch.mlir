// RUN: htp-opt %s -p htp-prefetch | filecheck %s

// Two copies to TCM, each in front of the op that needs it. The second one's bytes are free while
// the first op runs, so it begins before that op and is waited for where it stood; the third one's
// bytes are in use by then, so it stays whole.

func.func @main(%x: tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %a = htp.flat_to_vtcm(%0) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>
  %b = htp.Relu(%a) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>
  %c = htp.flat_to_vtcm(%0) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>
  %d = htp.Add(%b, %c) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>, tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>
  %e = htp.flat_to_vtcm(%0) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>
  %f = htp.Mul(%d, %e) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>, tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>
  %g = htp.flat_from_vtcm(%f) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%g) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32>
  func.return %y : tensor<1x1x8x32xf32>
}

// CHECK:      %[[A:.*]] = htp.flat_to_vtcm(
// CHECK-NEXT: %[[STARTED:.*]] = htp.flat_to_vtcm.start(
// CHECK-NEXT: %[[B:.*]] = htp.Relu(%[[A]])
// CHECK-NEXT: %[[C:.*]] = htp.CopyWait(%[[STARTED]])
// CHECK-NEXT: htp.Add(%[[B]], %[[C]])
// CHECK-NEXT: htp.flat_to_vtcm(
// CHECK-NEXT: htp.Mul(

// A spilled tensor comes back in two halves with its reason; what the op before makes is no sooner
// there, so its copy stays whole.

func.func @back(%x: tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %a = htp.flat_to_vtcm(%0) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>
  %s = htp.Spill(%a) {reason = "room"} : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %b = htp.Relu(%a) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>
  %f = htp.Fill(%s) {reason = "needed"} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>
  %c = htp.Add(%b, %f) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 2048>>, tensor<1x1x8x32xf32, #htp.place<flat, tcm, 4096>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %d = htp.flat_to_vtcm(%c) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<flat, tcm, 6144>>
  %e = htp.Neg(%d) : (tensor<1x1x8x32xf32, #htp.place<flat, tcm, 6144>>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%e) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32>
  func.return %y : tensor<1x1x8x32xf32>
}

// CHECK-LABEL: func.func @back
// CHECK:      %[[STARTED:.*]] = htp.Fill.start({{.*}}) {reason = "needed"}
// CHECK-NEXT: %[[B:.*]] = htp.Relu(
// CHECK-NEXT: %[[F:.*]] = htp.CopyWait(%[[STARTED]])
// CHECK-NEXT: %[[C:.*]] = htp.Add(%[[B]], %[[F]])
// CHECK-NEXT: %[[D:.*]] = htp.flat_to_vtcm(%[[C]])
// CHECK-NEXT: htp.Neg(%[[D]])
