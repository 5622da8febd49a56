// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=8192}' | filecheck %s
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=6144}' | filecheck %s --check-prefix ONTO
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=4096}' | filecheck %s --check-prefix SPILL
// RUN: htp-opt %s -p 'htp-allocate{tcm-bytes=4096},htp-select-kernels' --check-numerics 2>&1 | filecheck %s --check-prefix SAME
// RUN: not htp-opt %s -p 'htp-allocate{tcm-bytes=2048}' 2>&1 | filecheck %s --check-prefix SMALL

// Each tensor takes 2048 bytes. Where four fit, the last one shares the offset of the first, which
// is dead by then. With room for three a sum is written onto an operand that is read for the last
// time. With room for two the tensor that is read last leaves and comes back, and says why. With
// room for one nothing helps: the Relu reads a tensor that is read again.

func.func @main(%x: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x512xf32>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %2 = htp.Relu(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %3 = htp.Abs(%1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %4 = htp.Add(%3, %1) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>, tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %5 = htp.Add(%4, %2) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>, tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm>>
  %6 = htp.flat_from_vtcm(%5) : (tensor<1x1x1x512xf32, #htp.place<flat, tcm>>) -> tensor<1x1x1x512xf32, #htp.place<flat, ddr>>
  %y = htp.Reshape(%6) : (tensor<1x1x1x512xf32, #htp.place<flat, ddr>>) -> tensor<1x512xf32>
  func.return %y : tensor<1x512xf32>
}

// CHECK: htp.flat_to_vtcm({{.*}}) {{.*}} -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>
// CHECK: htp.Relu({{.*}}) {{.*}} -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 2048>>
// CHECK: htp.Abs({{.*}}) {{.*}} -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 4096>>
// CHECK: htp.Add({{.*}}) {{.*}} -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 6144>>
// CHECK: htp.Add({{.*}}) {{.*}} -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, 0>>

// ONTO-NOT: htp.Spill
// ONTO:     %[[SUM:.*]] = htp.Add({{.*}}) {overwrites = 1 : i64} : {{.*}}, tensor<1x1x1x512xf32, #htp.place<flat, tcm, [[AT:[0-9]+]]>>) -> tensor<1x1x1x512xf32, #htp.place<flat, tcm, [[AT]]>>
// ONTO:     htp.Add(%[[SUM]], %{{.*}}) {overwrites = 

// SPILL:      %[[RELU:.*]] = htp.Relu
// SPILL-NEXT: %[[SAVED:.*]] = htp.Spill(%[[RELU]]) {reason = "Relu@2 (2048 bytes) leaves TCM because Abs@3 needs room; read next by Add@5"}
// SPILL-NEXT: %[[ABS:.*]] = htp.Abs
// SPILL-NEXT: %[[SUM:.*]] = htp.Add(%[[ABS]], %{{.*}}) {overwrites
// SPILL-NEXT: %[[BACK:.*]] = htp.Fill(%[[SAVED]]) {reason = "Relu@2 (2048 bytes) comes back to TCM; read next by Add@5"}
// SPILL-NEXT: htp.Add(%[[SUM]], %[[BACK]]) {overwrites

// SAME: numbers agree

// SMALL:      htp.Relu: needs 4096 bytes of TCM, there are 2048: 'in' 2048, 'result 0' 2048
// SMALL-NEXT:   give tcm-bytes=4096 at least, no tile of its result of 1x1x1x512 takes less
