// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Images of another extent. All that says how is a param: a size or a block, and numbers of modes.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>) {
  %size = htp.Const dense<[[[[16, 5]]]]> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %two = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %zero = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %cubic = htp.Const dense<-7.5e-01> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  // CHECK: htp.Resize(%x, %{{.*}}) : {{.*}} -> tensor<1x16x5x32xf32>
  // GENERIC: "htp.Resize"({{.*}}) :
  %0 = htp.Resize(%x, %size, %zero, %zero, %zero, %zero, %cubic) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x16x5x32xf32>
  // CHECK: htp.DepthToSpace(%x, %[[TWO:.*]], %[[ZERO:.*]]) : {{.*}} -> tensor<1x16x16x8xf32>
  %1 = htp.DepthToSpace(%x, %two, %zero) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x16x16x8xf32>
  // CHECK: htp.SpaceToDepth(%x, %[[TWO]], %[[ZERO]]) : {{.*}} -> tensor<1x4x4x128xf32>
  %2 = htp.SpaceToDepth(%x, %two, %zero) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>
  func.return
}

// -----

// ERROR: htp.DepthToSpace: operand 'in' has extent 6 in dim 3, a block holds 4, which must divide it
%x = "test.op"() : () -> tensor<1x8x8x6xf32>
%two = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
%zero = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.DepthToSpace(%x, %two, %zero) : (tensor<1x8x8x6xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x16x16x1xf32>

// -----

// ERROR: htp.SpaceToDepth: operand 'in' has an image 8x7, no multiple of 2x2
%x = "test.op"() : () -> tensor<1x8x7x6xf32>
%two = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
%zero = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y = htp.SpaceToDepth(%x, %two, %zero) : (tensor<1x8x7x6xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x3x24xf32>

// -----

// The core forms take shapes 1xHxWx1: tiles follow from them.
// CHECK-LABEL: func.func @core
func.func @core(%x: tensor<1x8x8x32xf32>) {
  %two = htp.Shape : !htp.shape<1x2x2x1>
  %zero = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.ResizeNearestNeighbor_shape(%x, %[[TWO:.*]]) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>) -> tensor<1x16x16x32xf32>
  %0 = htp.ResizeNearestNeighbor_shape(%x, %two) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>) -> tensor<1x16x16x32xf32>
  // CHECK: htp.DepthToSpace_shape(%x, %[[TWO]], %{{.*}}) : {{.*}} -> tensor<1x16x16x8xf32>
  %1 = htp.DepthToSpace_shape(%x, %two, %zero) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x16x16x8xf32>
  // CHECK: htp.SpaceToDepth_shape(%x, %[[TWO]], %{{.*}}) : {{.*}} -> tensor<1x4x4x128xf32>
  %2 = htp.SpaceToDepth_shape(%x, %two, %zero) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>
  func.return
}

// -----

// ERROR: htp.ResizeNearestNeighbor_shape: result 0 {{.*}}1x16x16x32
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%two = htp.Shape : !htp.shape<1x2x2x1>
%y = htp.ResizeNearestNeighbor_shape(%x, %two) : (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>) -> tensor<1x16x8x32xf32>
