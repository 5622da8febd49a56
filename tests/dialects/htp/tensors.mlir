// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of every native op: the number of operands, rank 4, shapes where shapes belong, and the result
// that its inputs give.

// CHECK: htp.Relu: has 2 operands, it takes 1 (in)
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Relu(%x, %x) : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>

// -----

// CHECK: htp.Relu: operand 'in' has rank 3, native tensors have rank 4
%x = "test.op"() : () -> tensor<8x8x32xf32>
%y = htp.Relu(%x) : (tensor<8x8x32xf32>) -> tensor<8x8x32xf32>

// -----

// CHECK: htp.Conv2d_valid: operand 'stride' must be a shape
%x, %w, %s = "test.op"() : () -> (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x2xi32>)
%y = htp.Conv2d_valid(%x, %w, %s) : (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x2xi32>) -> tensor<1x6x6x64xf32>

// -----

// CHECK: htp.Relu: result 0 has shape 1x8x8x31, its inputs give 1x8x8x32
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Relu(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x31xf32>
