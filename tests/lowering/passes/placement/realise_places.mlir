// RUN: htp-opt %s -p htp-realise-places | filecheck %s

// The places are decided, and noted on each op whose operands are not there yet. The input goes to TCM and
// changes its layout there, once for both ops that want it; the constant, which croutons would pad,
// is moved flat; the result goes back the same way.

func.func @main(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %one = htp.Const dense<1.0> : tensor<1x1x8x32xf32> -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
  %1 = htp.Relu(%0) {htp.operand_places = [#htp.place<crouton, tcm>]} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>
  %2 = htp.Add(%0, %1) {htp.operand_places = [#htp.place<crouton, tcm>, unit]} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>
  %3 = htp.Add(%2, %one) {htp.operand_places = [unit, #htp.place<crouton, tcm>]} : (tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>, tensor<1x1x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>
  %y = htp.Reshape(%3) {htp.operand_places = [#htp.place<flat, ddr>]} : (tensor<1x1x8x32xf32, #htp.place<crouton, tcm>>) -> tensor<8x32xf32>
  func.return %y : tensor<8x32xf32>
}

// CHECK:      %[[FLAT:.*]] = htp.Reshape(%x)
// CHECK-NEXT: %[[ONE:.*]] = htp.Const {{.*}} -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
// CHECK-NEXT: %[[MOVED:.*]] = htp.flat_to_vtcm(%[[FLAT]])
// CHECK-NEXT: %[[IN:.*]] = htp.ForceFormat_Crouton(%[[MOVED]])
// CHECK-NEXT: %[[RELU:.*]] = htp.Relu(%[[IN]])
// CHECK-NEXT: %[[SUM:.*]] = htp.Add(%[[IN]], %[[RELU]])
// CHECK-NEXT: %[[ONE_FLAT:.*]] = htp.flat_to_vtcm(%[[ONE]])
// CHECK-NEXT: %[[ONE_IN:.*]] = htp.ForceFormat_Crouton(%[[ONE_FLAT]])
// CHECK-NEXT: %[[LAST:.*]] = htp.Add(%[[SUM]], %[[ONE_IN]])
// CHECK-NEXT: %[[OUT:.*]] = htp.ForceFormat_Flat(%[[LAST]])
// CHECK-NEXT: %[[RESULT:.*]] = htp.flat_from_vtcm(%[[OUT]])
// CHECK-NEXT: htp.Reshape(%[[RESULT]])
// CHECK-NOT:  htp.ForceFormat
// CHECK-NOT:  htp.operand_places
