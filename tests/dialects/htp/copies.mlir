// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Conversions change the layout, copies the memory; the name says from where to where. An offset in TCM
// may stand beside. A Spill and a Fill say why.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) {
  // CHECK: %[[C:.*]] = htp.ForceFormat_Crouton(%x) : {{.*}} -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  %0 = htp.ForceFormat_Crouton(%x) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  // CHECK: %[[IN:.*]] = htp.crouton_to_vtcm(%[[C]]) : {{.*}} -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 4096>>
  // GENERIC: "htp.crouton_to_vtcm"(%{{.*}}) :
  %1 = htp.crouton_to_vtcm(%0) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 4096>>
  // CHECK: htp.Spill(%[[IN]]) {reason = "room for %add"} : {{.*}} -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  // GENERIC: "htp.Spill"(%{{.*}}) {reason = "room for %add"} :
  %2 = htp.Spill(%1) {reason = "room for %add"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 4096>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  func.return
}

// -----

// ERROR: htp.flat_to_vtcm: operand 'in' is crouton in ddr, it must be flat in ddr
%x = "test.op"() : () -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
%y = htp.flat_to_vtcm(%x) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<flat, tcm>>

// -----

// ERROR: htp.Fill: turns flat into crouton; the layout must stay
%x = "test.op"() : () -> tensor<1x8x8x32xf32, #htp.place<flat, ddr>>
%y = htp.Fill(%x) : (tensor<1x8x8x32xf32, #htp.place<flat, ddr>>) -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm>>
