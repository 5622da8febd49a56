// RUN: htp-opt %s -p 'htp-rules{first=TILING last=TILING},htp-rules{first=MIDDLE},cse,dce' -o %t.mlir
// RUN: filecheck %s --input-file %t.mlir
// RUN: htp-opt %t.mlir -p 'htp-assign-places,htp-realise-places,cse,dce,htp-in-place' | filecheck %s --check-prefix PLACED
// RUN: htp-opt %t.mlir -p 'htp-assign-places,htp-realise-places,htp-in-place,htp-schedule' | filecheck %s --check-prefix ORDERED

// The tiles of an op are written to main memory for another one that runs there. What only moves
// elements, as a padding does, reads them there as well. An op that reads whole tiles takes these.

// CHECK-LABEL: func.func @gathered
// CHECK:       %[[TOP:.*]] = htp.Relu({{.*}}) {htp.tile = []}
// CHECK:       %[[BOTTOM:.*]] = htp.Relu({{.*}}) {htp.tile = []}
// CHECK:       %[[ALL:.*]] = htp.Concat({{.*}}, %[[TOP]], %[[BOTTOM]]) {htp.gathered}
// CHECK-DAG:   htp.SlicePad_shape(%[[ALL]],
// CHECK-DAG:   htp.Tanh(%[[TOP]])
// CHECK-DAG:   htp.Tanh(%[[BOTTOM]])

// PLACED-LABEL: func.func @gathered
// PLACED:       htp.Concat({{.*}}) {htp.gathered, in_place} : {{.*}} -> tensor<1x32x8x32xf32, #htp.place<flat, ddr>>

// The order is the last that heeds the plan.

// ORDERED-LABEL: func.func @gathered
// ORDERED-NOT:   htp.gathered
func.func @gathered(%x: tensor<1x32x8x32xf32>) -> (tensor<1x32x8x32xf32>, tensor<1x34x8x32xf32>) {
  %before = htp.Shape : !htp.shape<0x1x0x0>
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x34x8x32>
  %zero = htp.Const dense<0.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %0 = htp.Reshape(%x) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %1 = htp.Relu(%0) {htp.tile = [array<i64: 1, 16>], htp.gathered} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %2 = htp.Tanh(%1) {htp.tile = [array<i64: 1, 16>]} : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %3 = htp.SlicePad_shape(%1, %before, %start, %size, %zero) : (tensor<1x32x8x32xf32>, !htp.shape<0x1x0x0>, !htp.shape<0x0x0x0>, !htp.shape<1x34x8x32>, tensor<1x1x1x1xf32>) -> tensor<1x34x8x32xf32>
  %4 = htp.Reshape(%2) : (tensor<1x32x8x32xf32>) -> tensor<1x32x8x32xf32>
  %5 = htp.Reshape(%3) : (tensor<1x34x8x32xf32>) -> tensor<1x34x8x32xf32>
  func.return %4, %5 : tensor<1x32x8x32xf32>, tensor<1x34x8x32xf32>
}
