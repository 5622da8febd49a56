"""Ops on values that the verifiers refuse: statement and message, by case."""

from __future__ import annotations

LINEAR = {
    "weights of rank 3": (
        "%y = qti_aisw.FullyConnected(%x, %w) : (tensor<1x8xf32>, tensor<1x4x8xf32>) -> "
        "tensor<1x4xf32>",
        "operand 'weights' has rank 3, it must be 2",
    ),
    "weights that are not transposed": (
        "%y = qti_aisw.FullyConnected(%x, %w) : (tensor<1x8xf32>, tensor<8x4xf32>) -> "
        "tensor<1x4xf32>",
        "operand 'weights' takes 4 features, the data has 8; they must be equal",
    ),
    "scalar data": (
        "%y = qti_aisw.FullyConnected(%x, %w) : (tensor<f32>, tensor<8x4xf32>) -> tensor<8xf32>",
        "operand 'inp' is a scalar",
    ),
    "inner extents": (
        "%y = qti_aisw.MatMul(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>",
        "in0 has 8 columns, in1 has 4 rows; they must be equal",
    ),
    "leading extents": (
        "%y = qti_aisw.MatMul(%a, %b) : (tensor<2x4x8xf32>, tensor<3x8x4xf32>) -> "
        "tensor<2x4x4xf32>",
        "shapes 2 and 3 do not broadcast",
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
    "no broadcast": (
        "%y = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<4x3xf32>, tensor<4xf32>) -> "
        "tensor<4x3xf32>",
        "shapes 4x3 and 4 do not broadcast",
    ),
    "two dtypes": (
        "%y = qti_aisw.ElementWiseAdd(%a, %b) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>",
        "operand 'b' is Int32, 'a' is Float32; they must be equal",
    ),
    "comparison to a number": (
        "%y = qti_aisw.ElementWiseLess(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "result 0 has element type Float32, its inputs give Bool8",
    ),
    "logic of numbers": (
        "%y = qti_aisw.ElementWiseAnd(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>",
        "operand 'a' has element type Int32, it must be i1",
    ),
    "select by numbers": (
        "%y = qti_aisw.ElementWiseSelect(%c, %a, %b) : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "operand 'cond' has element type Float32, it must be i1",
    ),
    "select of two types": (
        "%y = qti_aisw.ElementWiseSelect(%c, %a, %b) : "
        "(tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>",
        "operand 'b' and the first one differ in element type",
    ),
}


ACTIVATION = {
    "relu of integers": (
        "%y = qti_aisw.Relu(%x) : (tensor<4xi32>) -> tensor<4xi32>",
        "qti_aisw.Relu: operand 'inp' has element type Int32",
    ),
    "bounds that cross": (
        "%y = qti_aisw.ReluMinMax(%x) {max_value = 0.0 : f32, min_value = 6.0 : f32} : "
        "(tensor<4xf32>) -> tensor<4xf32>",
        "param 'min_value' 6 is above 'max_value' 0",
    ),
    "no bounds": (
        "%y = qti_aisw.ReluMinMax(%x) {max_value = 0.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>",
        "property 'min_value' expected",
    ),
    "slope larger than the data": (
        "%y = qti_aisw.Prelu(%x, %s) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>",
        "operand 'slope' is larger than the data",
    ),
}


NORM = {
    "axis past the rank": (
        "%y = qti_aisw.Softmax(%x) {axis = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>",
        "param 'axis' is 2, the tensor has rank 2",
    ),
    "axis before the first": (
        "%y = qti_aisw.LogSoftmax(%x) {axis = -3 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>",
        "param 'axis' is -3, the tensor has rank 2",
    ),
    "softmax of integers": (
        "%y = qti_aisw.Softmax(%x) : (tensor<4x8xi32>) -> tensor<4x8xi32>",
        "operand 'inp' has element type Int32",
    ),
    "gamma of another extent": (
        "%y = qti_aisw.LayerNorm(%x, gamma = %g) {axes = array<i64: 1>} : "
        "(tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>",
        "operand 'gamma' has shape 4, the others give 8",
    ),
    "beta of another dtype": (
        "%y = qti_aisw.LayerNorm(%x, beta = %g) {axes = array<i64: 1>} : "
        "(tensor<4x8xf32>, tensor<8xf16>) -> tensor<4x8xf32>",
        "operand 'beta' is Float16, 'inp' is Float32",
    ),
    "an axis twice": (
        "%y = qti_aisw.LayerNorm(%x) {axes = array<i64: 1, -1>} : "
        "(tensor<4x8xf32>) -> tensor<4x8xf32>",
        "param 'axes' [1, -1] names an axis twice",
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
    "kept dims in the type only": (
        "%y = qti_aisw.ReduceSum(%x) {axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x1xf32>",
        "result 0 has shape 4x1, its inputs give 4",
    ),
    "axis past the rank": (
        "%y = qti_aisw.ReduceMax(%x) {axes = array<i64: 2>} : (tensor<4x8xf32>) -> tensor<4xf32>",
        "param 'axes' is 2, the tensor has rank 2",
    ),
    "truth values": (
        "%y = qti_aisw.ReduceSum(%x) {axes = array<i64: 0>} : (tensor<4xi1>) -> tensor<i1>",
        "operand 'inp' has element type Bool8",
    ),
    "the largest of nothing": (
        "%y = qti_aisw.ReduceMax(%x) {axes = array<i64: 0>} : (tensor<0x4xf32>) -> tensor<4xf32>",
        "the data has extent 0 along axis 0",
    ),
    "argmax of nothing": (
        "%y = qti_aisw.Argmax(%x) {axis = 0 : i64} : (tensor<0x4xf32>) -> tensor<4xi32>",
        "the data has extent 0 along axis 0",
    ),
    "argmax as i64": (
        "%y = qti_aisw.Argmax(%x) {axis = 0 : i64} : (tensor<4x8xf32>) -> tensor<8xi64>",
        "result 0 has element type Int64, its inputs give Int32",
    ),
}


QUANTIZE = {
    "cast of quantised data": (
        "%y = qti_aisw.Cast(%x) {to = f32} : (tensor<4x!quant.uniform<u8:f32, 0.5>>) -> "
        "tensor<4xf32>",
        "operand 'inp' has element type QUInt8, it must be not quantised",
    ),
    "cast to quantised data": (
        "%y = qti_aisw.Cast(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<4xf32>) -> "
        "tensor<4x!quant.uniform<u8:f32, 0.5>>",
        "to quantise, use qti_aisw.Quantize",
    ),
    "cast to no element type": (
        "%y = qti_aisw.Cast(%x) {to = 4 : i64} : (tensor<4xf32>) -> tensor<4xf32>",
        "element type 4 : i64 is not supported",
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
    "another scale than `to`": (
        "%y = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<4xf32>) -> "
        "tensor<4x!quant.uniform<u8:f32, 0.25>>",
        "result 0 has element type QUInt8 (0.25:0), its inputs give QUInt8 (0.5:0)",
    ),
    "dequantize of plain data": (
        "%y = qti_aisw.Dequantize(%x) : (tensor<4xi8>) -> tensor<4xf32>",
        "operand 'inp' has element type Int8, it must be quantised",
    ),
}
