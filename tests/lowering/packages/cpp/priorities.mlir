// RUN: htp package show %S/priorities.cpp | filecheck %s --check-prefix SHOW
// RUN: htp-opt --package %S/priorities.cpp -t cpp-package | filecheck %s --check-prefix CPP
// RUN: not htp rules lint --package %S/priorities.cpp | filecheck %s --check-prefix LINT
// RUN: htp rules explain %s --package %S/priorities.cpp -p htp-rules --rule priorities.cpp:6 --rule priorities.cpp:8 | filecheck %s --check-prefix EXPLAIN
// RUN: htp rules stats %s --package %S/priorities.cpp -p htp-rules | filecheck %s --check-prefix STATS

// A priority is shown and written as its author wrote it, wherever a rule is named with its group:
// by the nearest name below, LATE+900 would be another one.

// SHOW: CLEANUP_GRAPH+2: Half
// SHOW: LATE+899: Half

// CPP: CLEANUP_GRAPH + 2,
// CPP: HARD_OPS,
// CPP: LATE + 899,
// CPP: LATE + 900,
// CPP: 6000,

// LINT: q::Asin ({{.*}}priorities.cpp:10): [never-fires] q::Asin ({{.*}}priorities.cpp:9) in LATE+900 leaves no htp.Asin in the graph

// EXPLAIN: Half ({{.*}}priorities.cpp:6), pass group CLEANUP_GRAPH+2,
// EXPLAIN: Half ({{.*}}priorities.cpp:8), pass group LATE+899,

// STATS: CLEANUP_GRAPH+2 Half
// STATS: LATE+899 Half

func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = Passes.Half(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %2 : tensor<1x8x8x32xf32>
}
