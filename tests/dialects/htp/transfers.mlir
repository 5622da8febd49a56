// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A copy to TCM in two halves: it is under way when the start is done, and other ops run until CopyWait.
// Nobody else may touch what a start gives.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
  // CHECK: %[[STARTED:.*]] = htp.flat_to_vtcm.start(%x) :
  // GENERIC: "htp.flat_to_vtcm.start"(%{{.*}}) :
  %0 = htp.flat_to_vtcm.start(%x) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm, 0>>
  // CHECK: %[[Y:.*]] = htp.CopyWait(%[[STARTED]]) :
  %1 = htp.CopyWait(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm, 0>>
  // CHECK: htp.Relu(%[[Y]]) :
  %2 = htp.Relu(%1) : (tensor<1x8x8x32xf32, #htp.place<flat, tcm, 0>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm, 2048>>
  func.return
}

// -----

// ERROR: htp.flat_to_vtcm.start: its result is read by htp.Relu before it is waited for
%x = "test.op"() : () -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
%0 = htp.flat_to_vtcm.start(%x) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
%1 = htp.Relu(%0) : (tensor<1x8x8x32xf32, #htp.place<flat, tcm>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>
