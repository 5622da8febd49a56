// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// What block ops become: one step of a Buffer, from its content and counters to the next ones, and the
// sequence that each packed position belongs to.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%content: tensor<1x1x8x32xf32>, %counters: tensor<1x1x1x2xi32>, %x: tensor<1x1x2x32xf32>, %lengths: tensor<1x1x2x3xi32>) {
  %2 = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: %[[OUT:.*]], %{{.*}}, %{{.*}} = htp.BufferStep(%content, %counters, %x, %[[N:.*]], %[[N]], %[[N]]) : {{.*}} -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)
  // GENERIC: "htp.BufferStep"({{.*}}) :
  %out, %next, %count = htp.BufferStep(%content, %counters, %x, %2, %2, %2) : (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)
  %size = htp.Shape : !htp.shape<2x1x1x8>
  // CHECK: htp.SequenceIds(%lengths, %{{.*}}) : {{.*}} -> tensor<2x1x1x8xi32>
  %ids = htp.SequenceIds(%lengths, %size) : (tensor<1x1x2x3xi32>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32>
  func.return
}

// -----

// ERROR: htp.BufferStep: 3 rows an input do not divide the 8 rows of 'content'
%content, %counters, %x = "test.op"() : () -> (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x3x32xf32>)
%2 = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%out, %next, %count = htp.BufferStep(%content, %counters, %x, %2, %2, %2) : (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x3x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)
