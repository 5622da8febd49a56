// RUN: htp show pass | filecheck %s
// RUN: htp show dialect | filecheck %s --check-prefix DIALECTS

// Every pass with a line and its options, and every dialect, ours first.

// CHECK:           {{^}}htp-mlir:
// CHECK-NEXT:        convert-qti-aisw-to-htp: Graph level to native level
// CHECK:             htp-allocate: Placed level in execution order to offsets.
// CHECK-NEXT:          tcm-bytes (int) = 8388608
// CHECK-NEXT:          alignment (int) = 2048
// CHECK:           {{^}}xdsl:
// CHECK:             canonicalize
// CHECK:             cse

// DIALECTS:        {{^}}htp-mlir:
// DIALECTS-NEXT:     htp: {{[0-9]+}} ops, {{[0-9]+}} attributes
// DIALECTS-NEXT:     qti_aisw: {{[0-9]+}} ops
// DIALECTS-NEXT:     quant: 0 ops, 1 attribute{{$}}
// DIALECTS:        {{^}}xdsl:
// DIALECTS:          builtin:
