// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Ops that move elements. Concat takes its axis first, as rules write it; Reshape alone takes any rank,
// because it stands between the signature and native tensors.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<8x32xf32>, %i: tensor<1x1x1x5xi32>) {
  // CHECK: %[[X:.*]] = htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
  %0 = htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>
  // CHECK: %[[AXIS:.*]] = htp.Const dense<2>
  %axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.Concat(%[[AXIS]], %[[X]], %[[X]]) : {{.*}} -> tensor<1x1x16x32xf32>
  // GENERIC: "htp.Concat"(%{{.*}}, %[[X:.*]], %[[X]]) :
  %1 = htp.Concat(%axis, %0, %0) : (tensor<1x1x1x1xi32>, tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>) -> tensor<1x1x16x32xf32>
  // CHECK: htp.Gather(%[[X]], %i, %[[AXIS]]) : {{.*}} -> tensor<1x1x5x32xf32>
  %2 = htp.Gather(%0, %i, %axis) : (tensor<1x1x8x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x5x32xf32>
  // The tuples of a ScatterNd name the dims from the axis on; here rows are added.
  %t, %u = "test.op"() : () -> (tensor<1x1x5x1xi32>, tensor<1x1x5x32xf32>)
  %add = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.ScatterNd(%[[X]], %t, %u, %[[AXIS]], %{{.*}}) : {{.*}} -> tensor<1x1x8x32xf32>
  %3 = htp.ScatterNd(%0, %t, %u, %axis, %add) : (tensor<1x1x8x32xf32>, tensor<1x1x5x1xi32>, tensor<1x1x5x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x8x32xf32>
  func.return
}

// -----

// ERROR: htp.Concat: part 1 is 1x8x8x31, part 0 is 1x8x8x32; they may differ on axis 1 only
%a, %b = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<1x8x8x31xf32>)
%axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.Concat(%axis, %a, %b) : (tensor<1x1x1x1xi32>, tensor<1x8x8x32xf32>, tensor<1x8x8x31xf32>) -> tensor<1x16x8x32xf32>

// -----

// ERROR: htp.Reshape: the input 1x8x8x32 has 2048 elements, the result 8x8x31 has 1984
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<8x8x31xf32>
