"""Matrix products of flat f32 tensors. Constant weights are transposed once, at bind time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ..support import pointwise
from ..support.calls import Floats, in_order, scratch
from ..support.classes import Flat, FloatTensor, Weights
from ..support.families import RealKernels
from ..support.hoisting import bound_once, number_in
from ..support.rows import blocks, height_of, rows_of

KERNELS = RealKernels()


@KERNELS.kernel("FullyConnected", cost=Cost.FAST)
def fully_connected(out: Flat, inp: Flat, weights: Weights, bias: PlainFloatTensor) -> BoundCall:
    return in_order([_product(out, inp, weights), *_finished(out, bias, lambda rows: [])])


@KERNELS.kernel("FullyConnected.clamp", cost=Cost.FAST)
def fully_connected_clamp(
    out: Flat,
    inp: Flat,
    weights: Weights,
    bias: PlainFloatTensor,
    low: PlainFloatTensor,
    high: PlainFloatTensor,
) -> BoundCall:
    def clamped(rows: Floats) -> list[Call]:
        return pointwise.clamp(rows, low.array.reshape(()), high.array.reshape(()), rows)

    return in_order([_product(out, inp, weights), *_finished(out, bias, clamped)])


@KERNELS.kernel("FullyConnected.gelu", cost=Cost.FAST)
def fully_connected_gelu(
    out: Flat, inp: Flat, weights: Weights, bias: PlainFloatTensor
) -> BoundCall:
    work = scratch(2, height_of(out.shape[3]) * out.shape[3])

    def gelu(rows: Floats) -> list[Call]:
        values = rows.reshape(-1)
        return pointwise.UNARY["Gelu"](values, values, work[:, : values.size])

    return in_order([_product(out, inp, weights), *_finished(out, bias, gelu)])


@KERNELS.kernel("MatMul", cost=Cost.FAST)
def matmul(
    out: Flat, a: Flat, b: Flat, transpose_a: Int32Tensor, transpose_b: Int32Tensor
) -> BoundCall:
    def bind() -> BoundCall:
        right = _matrices(b, transpose_b)
        if number_in(transpose_a) or right.shape[:2] != (1, 1):
            return partial(np.matmul, _matrices(a, transpose_a), right, out.array)
        return partial(np.matmul, rows_of(a.array), right[0, 0], rows_of(out.array))

    return bound_once([transpose_a, transpose_b], bind)


def _matrices(tensor: FloatTensor, transpose: Int32Tensor) -> Floats:
    return tensor.array.swapaxes(2, 3) if number_in(transpose) else tensor.array


def _product(out: FloatTensor, inp: FloatTensor, weights: FloatTensor) -> Call:
    """out = in times the transposed weights."""
    columns = rows_of(weights.array).T
    matrix = np.ascontiguousarray(columns) if weights.constant else columns
    return partial(np.dot, rows_of(inp.array), matrix, rows_of(out.array))


def _finished(
    out: FloatTensor, bias: PlainFloatTensor, function: Callable[[Floats], list[Call]]
) -> Iterator[Call]:
    """Bias and function in place, block by block."""
    rows = rows_of(out.array)
    for span in blocks(rows):
        yield partial(np.add, rows[span], bias.array.reshape(-1), rows[span])
        yield from function(rows[span])
