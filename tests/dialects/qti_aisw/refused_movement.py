"""Moving ops that the verifiers refuse: statement and message, by case."""

from __future__ import annotations

MOVEMENT = {
    "concat of nothing": (
        "%y = qti_aisw.Concat() {axis = 0 : i64} : () -> tensor<4xf32>",
        "has no operands, at least one is needed",
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
    "reshape to negative extents": (
        "%y = qti_aisw.Reshape(%x) {shape = array<i64: -2, -2>} : "
        "(tensor<2x2xf32>) -> tensor<2x2xf32>",
        "shape -2x-2 has 4 elements",
    ),
    "reshape and type differ": (
        "%y = qti_aisw.Reshape(%x) {shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<1x4xf32>",
        "result 0 has shape 1x4, its inputs give 4",
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
    "scatter of an unknown reduction": (
        "%y = qti_aisw.ScatterNd(%x, %i, %u) {reduction = 5 : i64} : "
        "(tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>",
        "param 'reduction' is 5, it must be from 0 to 4",
    ),
    "scatter of tuples above the rank": (
        "%y = qti_aisw.ScatterNd(%x, %i, %u) : "
        "(tensor<4xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<4xf32>",
        "operand 'indices' holds tuples of 2, the data has rank 1",
    ),
    "more of the best than there are": (
        "%y, %i = qti_aisw.TopK(%x) {k = 5 : i64} : "
        "(tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi32>)",
        "param 'k' is 5, the last dim has extent 4",
    ),
    "scatter of other rows": (
        "%y = qti_aisw.ScatterNd(%x, %i, %u) : "
        "(tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<4x3xf32>",
        "operand 'updates' has shape 2x2, the others give 2x3",
    ),
    "gather along no dim": (
        "%y = qti_aisw.Gather(%x, %i) {axis = 1 : i64} : "
        "(tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>",
        "param 'axis' is 1, the tensor has rank 1",
    ),
}
