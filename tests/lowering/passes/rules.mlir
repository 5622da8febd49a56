// RUN: htp-opt %s -p 'htp-rules{last=EARLY-1},dce' | filecheck %s --check-prefix QNN
// RUN: htp-opt %s -p 'htp-rules{last=TILING-1},dce' | filecheck %s --check-prefix EARLY
// RUN: htp-opt %s -p 'htp-rules{last=TILING tcm-bytes=65536},dce' | filecheck %s --check-prefix TILED
// RUN: htp-opt %s -p 'htp-rules{last=TILING tcm-bytes=8388608},dce' | filecheck %s --check-prefix WHOLE
// RUN: htp-opt %s -p 'htp-rules{first=LATE},dce' | filecheck %s --check-prefix NONE

// Pass groups run in the order of their numbers, from `first` to `last`: the graph's names become
// the core's, then neighbours fuse, then what takes too much of the TCM is cut.

// QNN:     %[[SUM:.*]] = htp.Add(
// QNN:     htp.Relu(%[[SUM]])

// EARLY:   %[[SUM:.*]] = htp.BiasAdd(
// EARLY:   htp.Relu(%[[SUM]])

// TILED:   htp.Slice_shape
// TILED:   htp.BiasAdd({{.*}}) : {{.*}} -> tensor<1x8x16x32xf32>
// TILED:   htp.Concat
// WHOLE:   htp.BiasAdd({{.*}}) : {{.*}} -> tensor<1x16x16x32xf32>

// NONE:    htp.ElementWiseAdd
func.func @main(%x: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %b = htp.Const dense<0.5> : tensor<1x1x1x32xf32> -> tensor<1x1x1x32xf32>
  %1 = htp.ElementWiseAdd(%0, %b) : (tensor<1x16x16x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x16x16x32xf32>
  %2 = htp.Relu(%1) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %3 = htp.Reshape(%2) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  func.return %3 : tensor<1x16x16x32xf32>
}
