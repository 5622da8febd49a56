// RUN: not htp-opt %s -p htp-absorb-copies 2>&1 | filecheck %s

// A result is in one place: copies out of two layouts contradict each other.

// CHECK: htp.Neg: rules copy its result from crouton in tcm and flat in tcm
func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %a = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %b = htp.Neg(%a) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %c = htp.flat_from_vtcm(%b) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %d = htp.crouton_from_vtcm(%b) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %e = htp.Add(%c, %d) : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %y = htp.Reshape(%e) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}
