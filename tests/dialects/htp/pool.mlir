// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Pools: the raw forms pad and take their window as a param, the core forms take two shapes 1xHxWx1.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x8x8x32xf32>) {
  %two = htp.Const dense<2> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
  %pad = htp.Const dense<0> : tensor<1x1x2x2xi32> -> tensor<1x1x2x2xi32>
  %floor = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: htp.PoolMax2d(%x, %[[TWO:.*]], %[[TWO]], %{{.*}}, %{{.*}}) : {{.*}} -> tensor<1x4x4x32xf32>
  // GENERIC: "htp.PoolMax2d"({{.*}}) :
  %0 = htp.PoolMax2d(%x, %two, %two, %pad, %floor) : (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x32xf32>
  %window = htp.Shape : !htp.shape<1x3x3x1>
  %step = htp.Shape : !htp.shape<1x2x2x1>
  // CHECK: htp.MaxPool_valid(%x, %{{.*}}, %{{.*}}) : (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32>
  %1 = htp.MaxPool_valid(%x, %window, %step) : (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32>
  func.return
}

// -----

// ERROR: htp.MaxPool_valid: operand 'act' has extent 8 in dim 1, windows of 9, 1 apart, do not fit
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%window = htp.Shape : !htp.shape<1x9x2x1>
%step = htp.Shape : !htp.shape<1x1x1x1>
%y = htp.MaxPool_valid(%x, %window, %step) : (tensor<1x8x8x32xf32>, !htp.shape<1x9x2x1>, !htp.shape<1x1x1x1>) -> tensor<1x0x7x32xf32>
