"""Ops on values that the verifiers refuse: statement and message, by case."""

from __future__ import annotations

LINEAR = {
    "weights of rank 3": (
        "%y = qti_aisw.FullyConnected(%x, %w) : (tensor<1x8xf32>, tensor<1x4x8xf32>) -> "
        "tensor<1x4xf32>",
        "operand 'weights' has rank 3, it must be 2",
    ),
    "scalar data": (
        "%y = qti_aisw.FullyConnected(%x, %w) : (tensor<f32>, tensor<8x4xf32>) -> tensor<8xf32>",
        "operand 'inp' is a scalar",
    ),
    "vector": (
        "%y = qti_aisw.MatMul(%a, %b) : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>",
        "operand 'in0' has rank 1, it must be at least 2",
    ),
    "two dtypes": (
        "%y = qti_aisw.MatMul(%a, %b) : (tensor<4x8xf32>, tensor<8x4xf16>) -> tensor<4x4xf32>",
        "operand 'in1' is Float16, 'in0' is Float32; they must be equal",
    ),
}


ELEMENTWISE = {
    "exp of integers": (
        "%y = qti_aisw.ElementWiseExp(%x) : (tensor<4xi32>) -> tensor<4xi32>",
        "qti_aisw.ElementWiseExp: operand 'inp' has element type Int32",
    ),
    "abs of truth values": (
        "%y = qti_aisw.ElementWiseAbs(%x) : (tensor<4xi1>) -> tensor<4xi1>",
        "operand 'inp' has element type Bool8, it must be a number",
    ),
    "not of numbers": (
        "%y = qti_aisw.ElementWiseNot(%x) : (tensor<4xf32>) -> tensor<4xf32>",
        "operand 'inp' has element type Float32, it must be i1",
    ),
    "another shape": (
        "%y = qti_aisw.ElementWiseExp(%x) : (tensor<4xf32>) -> tensor<1x4xf32>",
        "result 0 has shape 1x4, its inputs give 4",
    ),
    "quantised to float": (
        "%y = qti_aisw.ElementWiseExp(%x) : (tensor<4x!quant.uniform<u8:f32, 0.5>>) -> "
        "tensor<4xf32>",
        "result 0 has element type Float32, its inputs give QUInt8 (0.5:0)",
    ),
    "comparison to a number": (
        "%y = qti_aisw.ElementWiseLess(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "result 0 has element type Float32, its inputs give Bool8",
    ),
    "logic of reals": (
        "%y = qti_aisw.ElementWiseAnd(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "operand 'a' has element type Float32, it must be i1 or an integer",
    ),
    "select of two types": (
        "%y = qti_aisw.ElementWiseSelect(%c, %a, %b) : "
        "(tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>",
        "operand 'b' and the first one differ in element type",
    ),
}


ACTIVATION = {
    "no bounds": (
        "%y = qti_aisw.ReluMinMax(%x) {max_value = 0.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>",
        "property 'min_value' expected",
    ),
}


NORM = {
    "axis before the first": (
        "%y = qti_aisw.LogSoftmax(%x) {axis = -3 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>",
        "param 'axis' is -3, the tensor has rank 2",
    ),
    "softmax of integers": (
        "%y = qti_aisw.Softmax(%x) : (tensor<4x8xi32>) -> tensor<4x8xi32>",
        "operand 'inp' has element type Int32",
    ),
    "beta of another dtype": (
        "%y = qti_aisw.LayerNorm(%x, beta = %g) {axes = array<i64: 1>} : "
        "(tensor<4x8xf32>, tensor<8xf16>) -> tensor<4x8xf32>",
        "operand 'beta' is Float16, 'inp' is Float32",
    ),
    "no axis": (
        "%y = qti_aisw.RmsNorm(%x, %g) {axes = array<i64>} : "
        "(tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>",
        "param 'axes' is empty",
    ),
    "negative epsilon": (
        "%y = qti_aisw.RmsNorm(%x, %g) {axes = array<i64: 1>, epsilon = -1.0 : f32} : "
        "(tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>",
        "param 'epsilon' is -1, it must be >= 0",
    ),
    "batchnorm of another width": (
        "%y = qti_aisw.Batchnorm(%x, %w, %b) : "
        "(tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<4x8xf32>",
        "operand 'bias' has shape 4, the others give 8",
    ),
}


REDUCE = {
    "axis past the rank": (
        "%y = qti_aisw.ReduceMax(%x) {axes = array<i64: 2>} : (tensor<4x8xf32>) -> tensor<4xf32>",
        "param 'axes' is 2, the tensor has rank 2",
    ),
    "truth values": (
        "%y = qti_aisw.ReduceSum(%x) {axes = array<i64: 0>} : (tensor<4xi1>) -> tensor<i1>",
        "operand 'inp' has element type Bool8",
    ),
    "argmax of nothing": (
        "%y = qti_aisw.Argmax(%x) {axis = 0 : i64} : (tensor<0x4xf32>) -> tensor<4xi32>",
        "the data has extent 0 along axis 0",
    ),
}


QUANTIZE = {
    "cast of quantised data": (
        "%y = qti_aisw.Cast(%x) {to = f32} : (tensor<4x!quant.uniform<u8:f32, 0.5>>) -> "
        "tensor<4xf32>",
        "operand 'inp' has element type QUInt8, it must be not quantised",
    ),
    "cast to no element type": (
        "%y = qti_aisw.Cast(%x) {to = index} : (tensor<4xf32>) -> tensor<4xf32>",
        "element type index is not supported",
    ),
    "quantize of f16": (
        "%y = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<4xf16>) -> "
        "tensor<4x!quant.uniform<u8:f32, 0.5>>",
        "operand 'inp' has element type Float16, it must be f32",
    ),
    "quantize to a plain type": (
        "%y = qti_aisw.Quantize(%x) {to = i8} : (tensor<4xf32>) -> tensor<4xi8>",
        "param 'to' is Int8, it must be a quantised element type",
    ),
}
