"""Convolutions and pools that the verifiers refuse: statement and message, by case."""

from __future__ import annotations

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
}
