// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=10240}' | filecheck %s --check-prefix ROOM
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192},htp-select-kernels' --check-numerics 2>&1 | filecheck %s --check-prefix SAME
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' --plan %t.csv | htp plan - %t.csv | filecheck %s --check-prefix PLAN

// Tensors of two chunks and of one: at most four chunks are alive at once, and no fixed offsets keep
// them apart. The join lies between two free chunks, so it slides by one, partly onto bytes of its
// own, and what is computed of it lies in one piece. Nothing leaves TCM. With room for a fifth chunk
// nothing moves.

!one = tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
!two = tensor<1x1x2x512xf32, #htp.place<flat, tcm>>

func.func @main(%x: tensor<1x1x2x512xf32>) -> tensor<1x1x2x512xf32> {
  %axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %a = htp.flat_to_vtcm(%x) : (tensor<1x1x2x512xf32>) -> !two
  %beta = htp.Const dense<1.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %b = htp.Softmax(%a, %axis, %beta) : (!two, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> !two
  %c = htp.ReduceMax(%b, %axis) : (!two, tensor<1x1x1x1xi32>) -> !one
  %d = htp.ReduceSum(%b, %axis) : (!two, tensor<1x1x1x1xi32>) -> !one
  %e = htp.Softmax(%d, %axis, %beta) : (!one, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> !one
  %f = htp.Concat(%axis, %c, %e) : (tensor<1x1x1x1xi32>, !one, !one) -> !two
  %g = htp.Softmax(%f, %axis, %beta) : (!two, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> !two
  %y = htp.flat_from_vtcm(%g) : (!two) -> tensor<1x1x2x512xf32>
  func.return %y : tensor<1x1x2x512xf32>
}

// CHECK-NOT:  htp.Spill
// CHECK:      %[[JOIN:.*]] = htp.Concat{{.*}} -> tensor<1x1x2x512xf32, #htp.place<flat, tcm, 2048>>
// CHECK-NEXT: %[[MOVED:.*]] = htp.Relocate(%[[JOIN]]) {reason = "Concat@7 (4096 bytes) moves to join free bytes for Softmax@8"}
// CHECK-SAME: -> tensor<1x1x2x512xf32, #htp.place<flat, tcm, 0>>
// CHECK-NEXT: htp.Softmax(%[[MOVED]],
// CHECK-NOT:  htp.Fill

// ROOM-NOT: htp.Relocate
// ROOM-NOT: htp.Spill

// SAME: numbers agree

// The check of the plan shares no code with the allocator.
// PLAN: holds; 8 tensors, peak 8192 of 8192 bytes
