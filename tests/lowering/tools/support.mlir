// RUN: not htp support %s 2>&1 | filecheck %s
// RUN: not htp support %s --format=json 2>&1 | filecheck %s --check-prefix JSON
// RUN: not htp support %s -p dce 2>&1 | filecheck %s --check-prefix PASS

// How far each op of a graph gets, on which kernels, and why no further. Those that get the least far come
// first; the others are lowered without them. The exit status is 1, as the graph does not lower as a whole.

// CHECK:      on SM8650 with 8,388,608 bytes of TCM
// CHECK:      op               count  level      becomes  runs on
// CHECK-NEXT: qti_aisw.Buffer      1  graph      Buffer   -
// CHECK-NEXT:     'window': mode BLOCKING cannot run on HTP
// CHECK-NEXT:       use NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT
// CHECK-NEXT: qti_aisw.Relu        2  allocated  Relu     Relu: unary, TCM
// CHECK:      3 nodes: 1 graph, 2 allocated
// CHECK-NEXT: kernels: 2 in TCM, 1 without a kernel
// CHECK:      1 of 3 nodes does not get to the allocated level
// CHECK-NEXT:   the table says why

// JSON: "levels": {
// JSON-NEXT: "graph": 1,
// JSON-NEXT: "allocated": 2
// JSON: "op": "Relu",
// JSON: "kernel": "unary.PlainFloatTensor_TCM",

// PASS:      htp support: runs htp-lower alone, and -p names dce
// PASS-NEXT:   give -p 'htp-lower{...}', or no passes
func.func @main(%x: tensor<1x4xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 3 : i64, htp.name = "window"} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = qti_aisw.Relu(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %1, %2 : tensor<3x4xf32>, tensor<1x4xf32>
}
