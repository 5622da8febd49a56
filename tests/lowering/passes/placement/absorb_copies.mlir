// RUN: htp-opt %s -p htp-absorb-copies --split-input-file | filecheck %s

// Copies that rules place by hand become what the op between them asks for: its operand in croutons in
// TCM, its result flat there.

// CHECK-LABEL: func.func @asked
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK-NEXT:  %[[Y:.*]] = htp.Neg(%[[X]]) {htp.by_hand = [#htp.place<crouton, tcm>, #htp.place<flat, tcm>]}
// CHECK-NEXT:  htp.Reshape(%[[Y]])
func.func @asked(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %a = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %b = htp.ForceFormat_Crouton(%a) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %c = htp.crouton_to_vtcm(%b) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %d = htp.Neg(%c) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %e = htp.flat_from_vtcm(%d) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %y = htp.Reshape(%e) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}

// -----

// A conversion to what every tensor is anyhow, flat in main memory, asks for nothing.

// CHECK-LABEL: func.func @nothing
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK-NEXT:  htp.Neg(%[[X]]) : (tensor<1x8x8x32xf32>)
func.func @nothing(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %a = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %b = htp.ForceFormat_Flat(%a) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %c = htp.Neg(%b) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %d = htp.ForceFormat_Flat(%c) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %y = htp.Reshape(%d) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}
