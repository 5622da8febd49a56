// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=10240}' | filecheck %s --check-prefix ROOM
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192},htp-select-kernels' --check-numerics 2>&1 | filecheck %s --check-prefix SAME

// Tensors of two chunks and of one: at most four chunks are alive at once, and no fixed offsets keep
// them apart. So one of the parts moves within TCM before they are joined, and the result lies in
// one piece. Nothing leaves TCM. With room for a fifth chunk nothing moves.

!one = tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
!two = tensor<1x1x2x512xf32, #htp.place<flat, tcm>>

func.func @main(%x: tensor<1x1x2x512xf32>) -> tensor<1x1x2x512xf32> {
  %axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %a = htp.flat_to_vtcm(%x) : (tensor<1x1x2x512xf32>) -> !two
  %b = htp.Relu(%a) : (!two) -> !two
  %c = htp.ReduceMax(%b, %axis) : (!two, tensor<1x1x1x1xi32>) -> !one
  %d = htp.ReduceSum(%b, %axis) : (!two, tensor<1x1x1x1xi32>) -> !one
  %e = htp.Abs(%d) : (!one) -> !one
  %f = htp.Concat(%axis, %c, %e) : (tensor<1x1x1x1xi32>, !one, !one) -> !two
  %g = htp.Neg(%f) : (!two) -> !two
  %y = htp.flat_from_vtcm(%g) : (!two) -> tensor<1x1x2x512xf32>
  func.return %y : tensor<1x1x2x512xf32>
}

// CHECK-NOT:  htp.Spill
// CHECK:      %[[ABS:.*]] = htp.Abs
// CHECK-NEXT: %[[MOVED:.*]] = htp.Relocate(%[[ABS]]) {reason = "Abs@5 (2048 bytes) moves to join free bytes for Concat@6"}
// CHECK-NEXT: htp.Concat({{.*}}, %[[MOVED]])
// CHECK-NOT:  htp.Fill

// ROOM-NOT: htp.Relocate
// ROOM-NOT: htp.Spill

// SAME: numbers agree
