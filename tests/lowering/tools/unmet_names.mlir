// RUN: not htp-opt %s -p dce --print-ir-after-all --filter-functions mian 2>&1 | filecheck %s --check-prefix FUNCTION
// RUN: htp-opt %s -p dce --print-ir-after-all --filter-functions 'outlined_*' 2>&1 | filecheck %s --check-prefix PATTERN
// RUN: htp-opt %s -p dce --print-ir-after cse,dce 2>&1 | filecheck %s --check-prefix PASS
// RUN: htp-opt %s -p dce --print-ir-after-all --filter-functions other --split-input-file 2>&1 | filecheck %s --check-prefix PIECES

// A name that shows no IR is told: at once where no function has it; at the end where a pass might
// have made such a function, or where no pass of that name ran.

// FUNCTION:      --filter-functions 'mian': no function has this name
// FUNCTION-NEXT: did you mean 'main'? there are main
// FUNCTION-NOT:  IR Dump

// PATTERN:       note: --filter-functions 'outlined_*': no function has this name; there are main

// PASS:          IR Dump After dce
// PASS:          note: --print-ir-after 'cse': no pass of this name ran; there are dce

// Another piece of the input may have the function.
// PIECES-NOT:    note:
// PIECES:        IR Dump After dce
// PIECES:        func.func @other
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}

// -----

func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}
