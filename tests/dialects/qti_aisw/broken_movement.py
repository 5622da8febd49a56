"""Edits that break the constraints of ops that move elements or change their type.

Each row is a constraint, words of the refusal, and old and new texts of the op's example in turn.
"""

from .broken_families import HALF, QUARTER, RESULT_TYPE, Row

KEPT = (RESULT_TYPE, "xf32>)", f"x{HALF}>)", "xf32>", f"x{QUARTER}>")
"""An op that keeps the encoding of its data, with another one in its result."""

MOVING: dict[str, list[Row]] = {
    "Const": [
        ("C1", "value has shape 1x2", "-> tensor<1x2", "-> tensor<2x1"),
        ("C2", "value is stored as", "-> tensor<1x2xf32", "-> tensor<1x2xf16"),
    ],
    "Concat": [
        (
            "C1",
            "has no operands",
            "(%a, %b)",
            "()",
            "(tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>)",
            "()",
        ),
        ("C2", "operand 'ins[1]' and the first one differ", "8x2xf32", "8x2xf16"),
        ("C2", "operand 'ins[1]' and the first", "8x2xf32", f"8x2x{HALF}", "xf32", f"x{QUARTER}"),
        ("C2", RESULT_TYPE, "8x6xf32", "8x6xf16"),
        ("C3", "param 'axis' is 4", "axis = 3", "axis = 4"),
        ("C3", "param 'axis' is -5", "axis = 3", "axis = -5"),
        ("C4", "operand 'ins[1]' is 8x8x2", "1x8x8x2x", "8x8x2x"),
        ("C4", "operand 'ins[1]' is 1x8x8,", "1x8x8x2x", "1x8x8x"),
        ("C4", "operand 'ins[1]' is 1x8x8x2x1", "1x8x8x2x", "1x8x8x2x1x"),
        ("C4", "operand 'ins[1]' is 1x7x8x2", "1x8x8x2x", "1x7x8x2x"),
    ],
    "Split": [
        ("C1", "param 'axis' is 4", "axis = 3", "axis = 4"),
        ("C2", "must rise between 0 and 6", "array<i64: 4>", "array<i64: 6>"),
        ("C2", "must rise between 0 and 6", "array<i64: 4>", "array<i64: 0>"),
        ("C2", "must rise between 0 and 6", "array<i64: 4>", "array<i64: 4, 4>"),
        (
            "C3",
            "has 1 result,",
            ", %z",
            "",
            "-> (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>)",
            "-> tensor<1x8x8x4xf32>",
        ),
        ("C3", "result 1 has element type", "8x2xf32", "8x2xf16"),
        ("C3", RESULT_TYPE, "8x6xf32", f"8x6x{HALF}", "xf32", f"x{QUARTER}"),
    ],
    "StridedSlice": [
        ("C1", "param 'ranges' has 3 values", ", 3, -1, -1", ""),
        ("C2", "takes 0:9:1 of dim 0", "0, 8, 2", "0, 9, 1"),
        ("C2", "takes 0:8:0 of dim 0", "0, 8, 2", "0, 8, 0"),
        ("C2", "takes 4:-1:-1 of dim 1", "3, -1, -1", "4, -1, -1"),
        ("C3", *KEPT),
    ],
    "Reshape": [
        ("C1", "shape 1x255 has 255 elements", "1, 256>", "1, 255>"),
        ("C1", "shape -1x-256 has 256 elements", "1, 256>", "-1, -256>"),
        ("C2", *KEPT),
    ],
    "Transpose": [
        ("C1", "must order the dims 0 to 3", "0, 3, 1, 2", "0, 3, 1, 1"),
        ("C1", "must order the dims 0 to 3", "0, 3, 1, 2", "0, 3, 1"),
        ("C2", *KEPT),
        (
            "C2",
            RESULT_TYPE,
            "xf32>",
            "x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5, 0.5}>>",
            "6x4x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25, 0.5, 0.5}",
            "6x4x!quant.uniform<i8:f32:3, {0.5, 0.25, 0.5, 0.25}",
        ),
    ],
    "Pad": [
        ("C1", "param 'pad_amount' has 3 values", "0, 0, 1, 2", "0, 0, 1"),
        ("C1", "param 'pad_amount' holds -1", "0, 0, 1, 2", "0, 0, -1, 2"),
        ("C2", *KEPT),
    ],
    "Gather": [
        ("C1", "operand 'indices' has element type", "2x3xi32", "2x3xf32"),
        ("C2", "param 'axis' is 2", "axis = 0", "axis = 2"),
        ("C2", "param 'axis' is -3", "axis = 0", "axis = -3"),
        ("C3", RESULT_TYPE, "100x16xf32", f"100x16x{HALF}", "xf32", f"x{QUARTER}"),
    ],
    "Tile": [
        ("C1", "param 'multiples' has 1 values", "2, 1>", "2>"),
        ("C1", "param 'multiples' holds 0", "2, 1>", "2, 0>"),
        ("C2", *KEPT),
    ],
    "ScatterNd": [
        ("C1", "operand 'indices' has element type", "3x1xi32", "3x1xf32"),
        ("C2", "operand 'updates' and the first one differ", "3x4xf32", "3x4xf16"),
        ("C2", RESULT_TYPE, "-> tensor<8x4xf32", "-> tensor<8x4xf16"),
        ("C3", "param 'reduction' is 5", "reduction = 1", "reduction = 5"),
        ("C4", "holds tuples of 3", "3x1xi32", "3x3xi32"),
        ("C4", "holds tuples of 0", "3x1xi32", "3x0xi32"),
        ("C5", "operand 'updates' has shape 3x5", "3x4xf32", "3x5xf32"),
    ],
    "TopK": [
        ("C1", "operand 'inp' has element type", "f32", "i1"),
        ("C1", "operand 'inp' is a scalar", "(tensor<4x8xf32>)", "(tensor<f32>)"),
        ("C2", "param 'k' is 9", "k = 3", "k = 9"),
        ("C2", "param 'k' is -1", "k = 3", "k = -1"),
        ("C3", *KEPT),
        ("C3", "result 1 has element type", "4x3xi32", "4x3xi64"),
    ],
}

IMAGES: dict[str, list[Row]] = {
    "Resize": [
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'inp' has rank 3", "(tensor<1x8x8x4x", "(tensor<8x8x4x"),
        ("C1", "operand 'inp' has an image 0x8", "(tensor<1x8x8x4x", "(tensor<1x0x8x4x"),
        ("C2", "param 'size' has 1 values", "16, 16>", "16>"),
        ("C2", "param 'size' holds 0", "16, 16>", "16, 0>"),
        ("C3", "param 'interpolation_mode' is 3", "{size", "{interpolation_mode = 3 : i64, size"),
        (
            "C3",
            "param 'transformation_mode' is -1",
            "{size",
            "{transformation_mode = -1 : i64, size",
        ),
        ("C3", "param 'nearest_mode' is 4", "{size", "{nearest_mode = 4 : i64, size"),
        ("C4", *KEPT),
        ("C4", RESULT_TYPE, "-> tensor<1x16x16x4xf32", "-> tensor<1x16x16x4xf16"),
    ],
    "DepthToSpace": [
        ("C1", "operand 'inp' has rank 3", "(tensor<1x4x4x8x", "(tensor<4x4x8x"),
        ("C2", "param 'block_size' has 1 values", "2, 2>", "2>"),
        ("C2", "param 'block_size' holds 0", "2, 2>", "2, 0>"),
        ("C3", "param 'mode' is 2", "{block", "{mode = 2 : i64, block"),
        ("C4", "operand 'inp' has depth 6", "4x4x8x", "4x4x6x"),
        ("C5", *KEPT),
    ],
    "SpaceToDepth": [
        ("C1", "operand 'inp' has rank 3", "(tensor<1x8x8x2x", "(tensor<8x8x2x"),
        ("C2", "param 'block_size' has 1 values", "2, 2>", "2>"),
        ("C2", "param 'block_size' holds 0", "2, 2>", "2, 0>"),
        ("C3", "param 'mode' is -1", "{block", "{mode = -1 : i64, block"),
        ("C4", "operand 'inp' has an image 7x8", "1x8x8x2", "1x7x8x2"),
        ("C4", "operand 'inp' has an image 8x7", "1x8x8x2", "1x8x7x2"),
        ("C5", *KEPT),
    ],
}

GRID = "!quant.uniform<u8:f32, 0.5:128>"
TYPES: dict[str, list[Row]] = {
    "Cast": [
        ("C1", "it must be not quantised", "(tensor<4x8xf32>)", f"(tensor<4x8x{HALF}>)"),
        ("C2", "to quantise, use qti_aisw.Quantize", "to = i32", f"to = {HALF}"),
        ("C2", RESULT_TYPE, "-> tensor<4x8xi32>", "-> tensor<4x8xi64>"),
    ],
    "BitCast": [
        ("C1", "it must be not quantised", "(tensor<4x8xf32>)", f"(tensor<4x8x{HALF}>)"),
        ("C2", "cannot be read as Int64 of 8 bytes", "to = i32", "to = i64"),
        ("C2", "cannot be read as Bool8", "to = i32", "to = i1", "xf32>", "xui8>"),
        ("C2", "cannot be read as QUInt8", "to = i32", f"to = {HALF}", "xf32>", "xui8>"),
        ("C2", RESULT_TYPE, "-> tensor<4x8xi32>", "-> tensor<4x8xui32>"),
    ],
    "Quantize": [
        ("C1", "operand 'inp' has element type", "(tensor<4x8xf32>)", "(tensor<4x8xf16>)"),
        ("C2", "param 'to' is Int8", f"to = {GRID}", "to = i8"),
        ("C2", RESULT_TYPE, f"-> tensor<4x8x{GRID}>", f"-> tensor<4x8x{QUARTER}>"),
    ],
    "Dequantize": [
        ("C1", "operand 'inp' has element type", f"x{GRID}>", "xf32>"),
        ("C2", RESULT_TYPE, "-> tensor<4x8xf32>", "-> tensor<4x8xf16>"),
    ],
    "Custom": [
        ("C1", "package is 'Max Pool'", "MaxPoolPackage", "Max Pool"),
        ("C1", "op_type is '1x'", "MaxPool_valid", "1x"),
        ("C2", "(C2) param 'window' is", "array<i64: 1, 2, 2, 1>", "[1]"),
        ("C3", "has no result", "%y = ", "", "-> tensor<1x7x7x4xf32>", "-> ()"),
    ],
}

MOVEMENT: dict[str, list[Row]] = {**MOVING, **IMAGES, **TYPES}
