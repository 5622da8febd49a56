// RUN: htp-opt %s --print-debuginfo | filecheck %s
// RUN: htp-opt %s --print-debuginfo | htp-opt - --print-debuginfo | filecheck %s
// RUN: htp-opt %s --print-debuginfo --print-op-generic | htp-opt - --print-debuginfo | filecheck %s
// RUN: htp-opt %s --print-debuginfo --elide-constants 2 | filecheck %s
// RUN: htp-opt %s --print-debuginfo --elide-constants 2 --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s | filecheck %s --check-prefix PLAIN

// With --print-debuginfo each op ends in its location: the one that the text states, or its place in
// the text. The text reads back, whatever its form, with the same locations.

// CHECK:      htp.Const {{.*}} -> tensor<4xf32> loc("weights"){{$}}
// CHECK-NEXT: htp.Reshape({{.*}} -> tensor<1x1x1x4xf32> loc(unknown){{$}}
// CHECK-NEXT: htp.Relu({{.*}} -> tensor<1x1x1x4xf32> loc("relu"("net.py":3:5)){{$}}
// CHECK-NEXT: htp.Neg({{.*}} -> tensor<1x1x1x4xf32> loc("{{.*}}print_debuginfo.mlir":24:3){{$}}
// CHECK-NEXT: func.return {{.*}} loc("{{.*}}print_debuginfo.mlir":{{[0-9]+}}:3){{$}}

// GENERIC:    "htp.Const"() <{value = dense_resource<__elided__> : tensor<4xf32>}> : () -> tensor<4xf32> loc("weights"){{$}}

// PLAIN-NOT:  loc(
func.func @main(%x: tensor<4xf32> loc("in")) -> tensor<1x1x1x4xf32> {
  %c = htp.Const dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> -> tensor<4xf32> loc("weights")
  %0 = htp.Reshape(%x) : (tensor<4xf32>) -> tensor<1x1x1x4xf32> loc(unknown)
  %1 = htp.Relu(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> loc("relu"("net.py":3:5))
  %2 = htp.Neg(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %2 : tensor<1x1x1x4xf32>
}
