"""What the verifiers of graph ops refuse, by family: each statement breaks one rule."""

from __future__ import annotations

import re

import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

from ..support.examples import module_of
from ..support.roundtrip import parse

D = "tensor<1x8x8x4xf32>"
"""Data that most statements start from."""

CONVOLUTION = {
    "data of rank 3": (
        "%y = qti_aisw.Conv2d(%x, %w) : (tensor<8x8x4xf32>, tensor<3x3x4x8xf32>) -> " + D,
        "qti_aisw.Conv2d: operand 'inp' has rank 3, it must be 4",
    ),
    "integer data": (
        "%y = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xi32>, tensor<3x3x4x8xi32>) -> " + D,
        "operand 'inp' has element type Int32, it must be a float or quantised",
    ),
    "filter of another dtype": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<3x3x4x8xf16>) -> tensor<1x6x6x8xf32>",
        "operand 'filter' is Float16, 'inp' is Float32; they must be equal",
    ),
    "filter of another depth": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<3x3x3x8xf32>) -> tensor<1x6x6x8xf32>",
        "operand 'filter' has 3 input channels, the data gives 4; they must be equal",
    ),
    "empty window": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<0x3x4x8xf32>) -> tensor<1x9x6x8xf32>",
        "operand 'filter' is 0x3x4x8, its window is empty",
    ),
    "bias of another length": (
        f"%y = qti_aisw.Conv2d(%x, %w, bias = %b) : ({D}, tensor<3x3x4x8xf32>, tensor<6xf32>) -> "
        "tensor<1x6x6x8xf32>",
        "operand 'bias' has 6 elements, the weights have 8 output channels; they must be equal",
    ),
    "bias of another dtype": (
        f"%y = qti_aisw.Conv2d(%x, %w, bias = %b) : ({D}, tensor<3x3x4x8xf32>, tensor<8xi32>) -> "
        "tensor<1x6x6x8xf32>",
        "operand 'bias' is Int32, 'inp' is Float32",
    ),
    "three strides": (
        "%y = qti_aisw.Conv2d(%x, %w) {stride = array<i64: 1, 1, 1>} : "
        f"({D}, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>",
        "param 'stride' has 3 values, it must have 2",
    ),
    "stride 0": (
        "%y = qti_aisw.Conv2d(%x, %w) {stride = array<i64: 0, 1>} : "
        f"({D}, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>",
        "param 'stride' holds 0, every value must be >= 1",
    ),
    "negative padding": (
        "%y = qti_aisw.Conv2d(%x, %w) {pad_amount = array<i64: 0, 0, -1, 0>} : "
        f"({D}, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>",
        "param 'pad_amount' holds -1, every value must be >= 0",
    ),
    "dilation 0": (
        "%y = qti_aisw.Conv2d(%x, %w) {dilation = array<i64: 0, 1>} : "
        f"({D}, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>",
        "param 'dilation' holds 0",
    ),
    "group that does not divide the input": (
        "%y = qti_aisw.Conv2d(%x, %w) {group = 3 : i64} : "
        f"({D}, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>",
        "param 'group' is 3, it must divide the 4 input channels",
    ),
    "group that does not divide the output": (
        "%y = qti_aisw.Conv2d(%x, %w) {group = 2 : i64} : "
        f"({D}, tensor<3x3x2x7xf32>) -> tensor<1x6x6x7xf32>",
        "param 'group' is 2, it must divide the 7 output channels",
    ),
    "window larger than the data": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<9x3x4x8xf32>) -> tensor<1x0x6x8xf32>",
        "a window of 9 is larger than the input of 8 with padding 0",
    ),
    "wrong result shape": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32>",
        "result 0 has shape 1x8x8x8, its inputs give 1x6x6x8",
    ),
    "wrong result dtype": (
        f"%y = qti_aisw.Conv2d(%x, %w) : ({D}, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf16>",
        "result 0 has element type Float16, its inputs give Float32",
    ),
    "depthwise filter of depth 4": (
        f"%y = qti_aisw.DepthWiseConv2d(%x, %w) : ({D}, tensor<3x3x4x4xf32>) -> "
        "tensor<1x6x6x4xf32>",
        "operand 'filter' has depth 4 in dim 2, it must be 1",
    ),
    "depthwise filter that is no multiple": (
        f"%y = qti_aisw.DepthWiseConv2d(%x, %w) : ({D}, tensor<3x3x1x6xf32>) -> "
        "tensor<1x6x6x6xf32>",
        "operand 'filter' has 6 output channels, the data 4 channels",
    ),
    "output padding as large as the stride": (
        "%y = qti_aisw.TransposeConv2d(%x, %w) {output_padding = array<i64: 1, 0>} : "
        f"({D}, tensor<2x2x4x8xf32>) -> tensor<1x10x9x8xf32>",
        "param 'output_padding' holds 1, it must be below the stride 1",
    ),
    "padding that cuts all": (
        "%y = qti_aisw.TransposeConv2d(%x, %w) {pad_amount = array<i64: 5, 5, 0, 0>} : "
        f"({D}, tensor<2x2x4x8xf32>) -> tensor<1x0x9x8xf32>",
        "padding 10 leaves nothing of the result's dim 1",
    ),
    "transposed filter of another depth": (
        f"%y = qti_aisw.TransposeConv2d(%x, %w) : ({D}, tensor<2x2x8x4xf32>) -> "
        "tensor<1x9x9x4xf32>",
        "operand 'filter' has 8 input channels, the data gives 4",
    ),
}

POOL = {
    "no filter size": (
        f"%y = qti_aisw.PoolMax2d(%x) : ({D}) -> {D}",
        "property 'filter_size' expected",
    ),
    "data of rank 2": (
        "%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>} : "
        "(tensor<8x8xf32>) -> tensor<7x7xf32>",
        "operand 'inp' has rank 2, it must be 4",
    ),
    "truth values": (
        "%y = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 1, 1>} : "
        "(tensor<1x8x8x4xi1>) -> tensor<1x8x8x4xi1>",
        "operand 'inp' has element type Bool8, it must be a number",
    ),
    "rounding mode 2": (
        "%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 1, 1>, rounding_mode = 2 : i64} : "
        f"({D}) -> {D}",
        "param 'rounding_mode' is 2, it must be 0 or 1",
    ),
    "floor where ceil was meant": (
        "%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 3, 3>, stride = array<i64: 2, 2>} : "
        f"({D}) -> tensor<1x4x4x4xf32>",
        "result 0 has shape 1x4x4x4, its inputs give 1x3x3x4",
    ),
    "max that changes its scale": (
        "%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 1, 1>} : "
        "(tensor<1x8x8x4x!quant.uniform<u8:f32, 0.5>>) -> "
        "tensor<1x8x8x4x!quant.uniform<u8:f32, 0.25>>",
        "result 0 has element type QUInt8 (0.25:0), its inputs give QUInt8 (0.5:0)",
    ),
}

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
    "alpha of another type": (
        "%y = qti_aisw.Elu(%x) {alpha = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>",
        "alpha",
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

MOVEMENT = {
    "concat of nothing": (
        "%y = qti_aisw.Concat() {axis = 0 : i64} : () -> tensor<4xf32>",
        "has no operands, at least one is needed",
    ),
    "concat of two shapes": (
        "%y = qti_aisw.Concat(%a, %b) {axis = 0 : i64} : "
        "(tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>",
        "operand 'ins[1]' is 4x7, the first 4x8; they may differ in dim 0 only",
    ),
    "concat of two ranks": (
        "%y = qti_aisw.Concat(%a, %b) {axis = 0 : i64} : "
        "(tensor<4x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>",
        "they may differ in dim 0 only",
    ),
    "concat of two scales": (
        "%y = qti_aisw.Concat(%a, %b) {axis = 0 : i64} : (tensor<4x!quant.uniform<u8:f32, 0.5>>, "
        "tensor<4x!quant.uniform<u8:f32, 0.25>>) -> tensor<8x!quant.uniform<u8:f32, 0.5>>",
        "operand 'ins[1]' and the first one differ in element type",
    ),
    "cuts that fall": (
        "%y, %z, %u = qti_aisw.Split(%x) {axis = 0 : i64, split_index = array<i64: 3, 2>} : "
        "(tensor<4xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)",
        "param 'split_index' [3, 2] must rise between 0 and 4",
    ),
    "cut at the end": (
        "%y, %z = qti_aisw.Split(%x) {axis = 0 : i64, split_index = array<i64: 4>} : "
        "(tensor<4xf32>) -> (tensor<4xf32>, tensor<0xf32>)",
        "param 'split_index' [4] must rise between 0 and 4",
    ),
    "too few parts": (
        "%y = qti_aisw.Split(%x) {axis = 0 : i64, split_index = array<i64: 2>} : "
        "(tensor<4xf32>) -> tensor<2xf32>",
        "has 1 results, its rule gives 2",
    ),
    "ranges of one dim": (
        "%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 4, 1>} : "
        "(tensor<4x8xf32>) -> tensor<4x8xf32>",
        "param 'ranges' has 3 values, it must have 6",
    ),
    "range past the end": (
        "%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 5, 1>} : "
        "(tensor<4xf32>) -> tensor<5xf32>",
        "param 'ranges' takes 0:5:1 of dim 0, which has extent 4",
    ),
    "stride 0": (
        "%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 4, 0>} : "
        "(tensor<4xf32>) -> tensor<4xf32>",
        "param 'ranges' takes 0:4:0 of dim 0",
    ),
    "backwards from past the end": (
        "%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 4, -1, -1>} : "
        "(tensor<4xf32>) -> tensor<5xf32>",
        "param 'ranges' takes 4:-1:-1 of dim 0",
    ),
    "reshape to another count": (
        "%y = qti_aisw.Reshape(%x) {shape = array<i64: 3>} : (tensor<2x2xf32>) -> tensor<3xf32>",
        "shape 3 has 3 elements, the input 4",
    ),
    "reshape to negative extents": (
        "%y = qti_aisw.Reshape(%x) {shape = array<i64: -2, -2>} : "
        "(tensor<2x2xf32>) -> tensor<2x2xf32>",
        "shape -2x-2 has 4 elements",
    ),
    "reshape and type differ": (
        "%y = qti_aisw.Reshape(%x) {shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<1x4xf32>",
        "result 0 has shape 1x4, its inputs give 4",
    ),
    "dim twice": (
        "%y = qti_aisw.Transpose(%x) {perm = array<i64: 0, 0>} : "
        "(tensor<2x2xf32>) -> tensor<2x2xf32>",
        "param 'perm' [0, 0] must order the dims 0 to 1",
    ),
    "scale along the dim that it was": (
        "%y = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0>} : "
        "(tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> "
        "tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>",
        "result 0 has element type",
    ),
    "negative pad": (
        "%y = qti_aisw.Pad(%x) {pad_amount = array<i64: -1, 0>} : (tensor<4xf32>) -> tensor<3xf32>",
        "param 'pad_amount' holds -1",
    ),
    "float indices": (
        "%y = qti_aisw.Gather(%x, %i) {axis = 0 : i64} : "
        "(tensor<4xf32>, tensor<2xf32>) -> tensor<2xf32>",
        "operand 'indices' has element type Float32, it must be i32 or i64",
    ),
    "gather along no dim": (
        "%y = qti_aisw.Gather(%x, %i) {axis = 1 : i64} : "
        "(tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>",
        "param 'axis' is 1, the tensor has rank 1",
    ),
    "tile no times": (
        "%y = qti_aisw.Tile(%x) {multiples = array<i64: 0>} : (tensor<4xf32>) -> tensor<0xf32>",
        "param 'multiples' holds 0, every value must be >= 1",
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

GENERAL = {
    "misspelt param": (
        f"%y = qti_aisw.Softmax(%x) {{axes = 1 : i64}} : ({D}) -> {D}",
        "unknown param 'axes'; its params are axis, beta",
    ),
    "place at the graph level": (
        f"%y = qti_aisw.Relu(%x) : ({D}) -> tensor<1x8x8x4xf32, #htp.place<flat, tcm>>",
        "a graph tensor carries no #htp.place",
    ),
    "no tensor": ("%y = qti_aisw.Relu(%x) : (f32) -> f32", "expected a ranked tensor, found f32"),
    "dynamic dim": (
        "%y = qti_aisw.Relu(%x) : (tensor<?xf32>) -> tensor<?xf32>",
        "every dim must be a number",
    ),
    "constant of another shape": (
        "%y = qti_aisw.Const dense<1.0> : tensor<4xf32> -> tensor<2x2xf32>",
        "(C1) value has shape 4, the result 2x2; they must be equal",
    ),
    "constant of another storage": (
        "%y = qti_aisw.Const dense<1> : tensor<4xi8> -> tensor<4x!quant.uniform<u8:f32, 0.5>>",
        "(C2) value is stored as Int8, the result as uint8",
    ),
}

FAMILIES = {
    "convolution": CONVOLUTION,
    "pool": POOL,
    "linear": LINEAR,
    "elementwise": ELEMENTWISE,
    "activation": ACTIVATION,
    "norm": NORM,
    "reduce": REDUCE,
    "movement": MOVEMENT,
    "quantize": QUANTIZE,
    "general": GENERAL,
}
CASES = [
    pytest.param(statement, message, id=f"{family}-{name}")
    for family, cases in FAMILIES.items()
    for name, (statement, message) in cases.items()
]


@pytest.mark.parametrize(("statement", "message"), CASES)
def test_refuses(statement: str, message: str) -> None:
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse(module_of(statement))


BAD_TEXT = {
    "operand missing": (
        "%y = qti_aisw.MatMul(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "qti_aisw.MatMul: operand 'in1' is given 0 times",
    ),
    "operand too many": (
        "%y = qti_aisw.Relu(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "qti_aisw.Relu: operand 'inp' is given 2 times",
    ),
    "optional operand twice": (
        "%y = qti_aisw.RmsNorm(%x, %g, beta = %b, beta = %c) {axes = array<i64: 0>} : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "operand 'beta' is given 2 times",
    ),
    "unknown optional operand": (
        "%y = qti_aisw.RmsNorm(%x, %g, gamma = %b) {axes = array<i64: 0>} : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "unknown optional operand 'gamma'; known are beta",
    ),
    "result too many": (
        "%y, %z = qti_aisw.Relu(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
        "qti_aisw.Relu: has 2 results, it gives 1",
    ),
}


@pytest.mark.parametrize(("statement", "message"), BAD_TEXT.values(), ids=BAD_TEXT.keys())
def test_refuses_text(statement: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)):
        parse(module_of(statement))
