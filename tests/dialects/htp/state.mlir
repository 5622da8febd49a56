// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// State is a symbol of the module: read with what it is at first or after a reset, written once.

// CHECK-LABEL: htp.State @h : tensor<1x1x2x4xf32>
// GENERIC-LABEL: "htp.State"() <{sym_name = "h", {{.*}}tensor<1x1x2x4xf32>
htp.State @h : tensor<1x1x2x4xf32>
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {
  // CHECK: %[[H:.*]] = htp.StateRead @h, %init, %reset : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  // GENERIC: "htp.StateRead"(%{{.*}}, %{{.*}}) <{state = @h}> :
  %h = htp.StateRead @h, %init, %reset : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  // CHECK: htp.StateWrite @h, %[[H]] : tensor<1x1x2x4xf32>
  htp.StateWrite @h, %h : tensor<1x1x2x4xf32>
  func.return
}

// -----

// ERROR: htp.StateRead: (C1) there is no state @x
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {
  %h = htp.StateRead @x, %init, %reset : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  func.return
}

// -----

// ERROR: htp.State: (C2) @h is written in more than one place
htp.State @h : tensor<1x1x2x4xf32>
func.func @main(%x: tensor<1x1x2x4xf32>) {
  htp.StateWrite @h, %x : tensor<1x1x2x4xf32>
  htp.StateWrite @h, %x : tensor<1x1x2x4xf32>
  func.return
}

// -----

// ERROR: htp.State: (C1) @h is crouton in ddr, it must be flat in ddr
htp.State @h : tensor<1x1x2x4xf32, #htp.place<crouton, ddr>>
