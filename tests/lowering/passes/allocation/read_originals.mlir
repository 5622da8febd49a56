// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=10240}' | filecheck %s --check-prefix ROOM
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192},htp-select-kernels' --check-numerics 2>&1 | filecheck %s --check-prefix SAME

// A bias of one chunk is in TCM for two products. Beside what the second one holds it is a chunk too
// much: it is read where it was copied from, and nothing else leaves. With room it stays.

!two = tensor<1x1x2x512xf32, #htp.place<flat, tcm>>
!one = tensor<1x1x2x256xf32, #htp.place<flat, tcm>>

func.func @main(%x: tensor<1x1x2x512xf32>) -> tensor<1x1x2x512xf32> {
  %w = htp.Const dense<0.5> : tensor<1x1x256x512xf32> -> tensor<1x1x256x512xf32>
  %b = htp.Const dense<1.0> : tensor<1x1x1x256xf32> -> tensor<1x1x1x256xf32>
  %bias = htp.flat_to_vtcm(%b) : (tensor<1x1x1x256xf32>) -> tensor<1x1x1x256xf32, #htp.place<flat, tcm>>
  %a = htp.flat_to_vtcm(%x) : (tensor<1x1x2x512xf32>) -> !two
  %y = htp.FullyConnected(%a, %w, %bias) : (!two, tensor<1x1x256x512xf32>, tensor<1x1x1x256xf32, #htp.place<flat, tcm>>) -> !one
  %z = htp.FullyConnected(%a, %w, %bias) : (!two, tensor<1x1x256x512xf32>, tensor<1x1x1x256xf32, #htp.place<flat, tcm>>) -> !one
  %axis = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %j = htp.Sub(%y, %z) : (!one, !one) -> !one
  %k = htp.flat_from_vtcm(%j) : (!one) -> tensor<1x1x2x256xf32>
  %r = htp.Concat(%axis, %k, %k) : (tensor<1x1x1x1xi32>, tensor<1x1x2x256xf32>, tensor<1x1x2x256xf32>) -> tensor<1x1x2x512xf32>
  func.return %r : tensor<1x1x2x512xf32>
}

// CHECK-NOT: htp.Spill
// CHECK:     htp.FullyConnected(
// CHECK-NOT: htp.Spill
// CHECK:     htp.FullyConnected(%a, %w, %b) :
// CHECK-NOT: htp.Spill

// ROOM: htp.FullyConnected(%a, %w, %bias) :
// ROOM: htp.FullyConnected(%a, %w, %bias) :

// SAME: numbers agree
