// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=16384}' | filecheck %s --check-prefix ROOM
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192},htp-select-kernels' --check-numerics 2>&1 | filecheck %s --check-prefix SAME

// A bias does not fit beside what its only reader holds, which so reads it in main memory. Then it is
// not copied to TCM. With room it is.

!two = tensor<1x1x2x512xf32, #htp.place<flat, tcm>>
!one = tensor<1x1x2x256xf32, #htp.place<flat, tcm>>

func.func @main(%x: tensor<1x1x2x512xf32>, %k: tensor<1x1x2x256xf32>) -> tensor<1x1x2x256xf32> {
  %w = htp.Const dense<0.5> : tensor<1x1x256x512xf32> -> tensor<1x1x256x512xf32>
  %b = htp.Const dense<1.0> : tensor<1x1x1x256xf32> -> tensor<1x1x1x256xf32>
  %bias = htp.flat_to_vtcm(%b) : (tensor<1x1x1x256xf32>) -> tensor<1x1x1x256xf32, #htp.place<flat, tcm>>
  %keep = htp.flat_to_vtcm(%k) : (tensor<1x1x2x256xf32>) -> !one
  %a = htp.flat_to_vtcm(%x) : (tensor<1x1x2x512xf32>) -> !two
  %n = htp.Neg(%keep) : (!one) -> !one
  %y = htp.FullyConnected(%a, %w, %bias) : (!two, tensor<1x1x256x512xf32>, tensor<1x1x1x256xf32, #htp.place<flat, tcm>>) -> !one
  %j = htp.Sub(%y, %n) : (!one, !one) -> !one
  %r = htp.flat_from_vtcm(%j) : (!one) -> tensor<1x1x2x256xf32>
  func.return %r : tensor<1x1x2x256xf32>
}

// CHECK-NOT: htp.flat_to_vtcm(%b)
// CHECK:     htp.FullyConnected(%a, %w, %b) :

// ROOM: %bias = htp.flat_to_vtcm(%b)
// ROOM: htp.FullyConnected(%a, %w, %bias) :

// SAME: numbers agree
