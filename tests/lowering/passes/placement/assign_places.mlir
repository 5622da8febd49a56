// RUN: htp-opt %s -p 'htp-assign-places{tcm-bytes=65536}' | filecheck %s

// Every result gets a place, only what crosses the signature of @main gets none. Relu wants its
// tensors in TCM, in whatever layout; an op without a declaration, here Conv2d_valid, wants them
// flat in main memory, and so do constants. Where an operand is to move its reader says so.

func.func @main(%x: tensor<8x32xf32> {htp.name = "x"}) -> (tensor<8x32xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32>
  %w = htp.Const dense<3.0> : tensor<1x1x32x32xf32> -> tensor<1x1x32x32xf32>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %2 = htp.Conv2d_valid(%1, %w, %s) : (tensor<1x1x8x32xf32>, tensor<1x1x32x32xf32>, !htp.shape<1x1x1x1>) -> tensor<1x1x8x32xf32>
  %y = htp.Reshape(%2) : (tensor<1x1x8x32xf32>) -> tensor<8x32xf32>
  func.return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @main(%x: tensor<8x32xf32>
// CHECK:       htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
// CHECK:       htp.Relu({{.*}}) {htp.operand_places = [#htp.place<flat, tcm>]} :{{.*}} -> tensor<1x1x8x32xf32, #htp.place<flat, tcm>>
// CHECK:       htp.Const {{.*}} -> tensor<1x1x32x32xf32, #htp.place<flat, ddr>>
// CHECK:       htp.Conv2d_valid({{.*}}) {htp.operand_places = [#htp.place<flat, ddr>, unit, unit]} :{{.*}} -> tensor<1x1x8x32xf32, #htp.place<flat, ddr>>
// CHECK:       htp.Reshape({{.*}}) -> tensor<8x32xf32>
