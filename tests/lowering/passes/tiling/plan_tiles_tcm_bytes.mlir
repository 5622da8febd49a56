// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=262144}' | filecheck %s --check-prefix AMPLE
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=65536}' | filecheck %s --check-prefix WHOLE
// RUN: htp-opt %s -p 'htp-plan-tiles{tcm-bytes=49152}' | filecheck %s --check-prefix CUT

// A Relu reads 32,768 bytes and writes as many. Where there is room to spare the plan says no more than
// the layout; where it just fits it stays whole, and where it does not fit, its rows are cut into
// tiles of 8.

// AMPLE: htp.Relu(%{{[0-9]+}}) {htp.layout = "flat"} :
// WHOLE: htp.Relu(%{{[0-9]+}}) {htp.tile = [], htp.layout = "flat"} :
// CUT:   htp.Relu(%{{[0-9]+}}) {htp.tile = [array<i64: 1, 8>], htp.layout = "flat", htp.drained} :
func.func @main(%x: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  func.return %2 : tensor<1x16x16x32xf32>
}
