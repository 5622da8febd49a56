// RUN: htp-opt %s --split-input-file --parsing-diagnostics | filecheck %s

// Text that is no graph op: the message says how it is written instead. Optional operands go by
// name, params of the pretty form are 64-bit numbers, f32, truth values and named values.

// CHECK: qti_aisw.LayerNorm: operand 'inp' is given 3 times; write optional ones by name: gamma = %g, beta = %b
%x, %g, %b = "test.op"() : () -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
%y = qti_aisw.LayerNorm(%x, %g, %b) {axes = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

// CHECK: qti_aisw.PoolMax2d: param 'filter_size': write array<i64: 3, 2>, not [3 : i64, 2 : i64]
%x = "test.op"() : () -> tensor<1x8x8x4xf32>
%y = qti_aisw.PoolMax2d(%x) {filter_size = [3, 2]} : (tensor<1x8x8x4xf32>) -> tensor<1x6x7x4xf32>

// -----

// CHECK: qti_aisw.Elu: param 'alpha': write 1.0
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.Elu(%x) {alpha = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>

// -----

// CHECK: qti_aisw.Buffer: param 'mode': write #qti_aisw.buffer_mode<BLOCKING>, not "BLOCKING"
%x = "test.op"() : () -> tensor<1x8xf32>
%y = qti_aisw.Buffer(%x) {buffer_dim = 0, buffer_size = 4, mode = "BLOCKING"} : (tensor<1x8xf32>) -> tensor<4x8xf32>
