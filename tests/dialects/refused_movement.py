"""Moving ops, and rules of all graph ops, broken: statement and message, by case."""

from __future__ import annotations

D = "tensor<1x8x8x4xf32>"
"""Data that most statements start from."""

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
