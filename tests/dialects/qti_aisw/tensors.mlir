// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of every op of the graph: its params have names, its tensors static shapes and no place.

// CHECK: qti_aisw.Softmax: unknown param 'axes'; did you mean 'axis'? its params are axis, beta
%x = "test.op"() : () -> tensor<4x8xf32>
%y = qti_aisw.Softmax(%x) {axes = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>

// -----

// CHECK: tensor<?xf32> has a dynamic dim; every dim must be a number >= 0
%x = "test.op"() : () -> tensor<?xf32>
%y = qti_aisw.Relu(%x) : (tensor<?xf32>) -> tensor<?xf32>

// -----

// CHECK: qti_aisw.Relu: a graph tensor carries no #htp.place
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32, #htp.place<flat, tcm>>

// -----

// CHECK: expected a ranked tensor, found f32
%x = "test.op"() : () -> f32
%y = qti_aisw.Relu(%x) : (f32) -> f32
