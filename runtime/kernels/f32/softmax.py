"""Softmax and LogSoftmax of flat f32 tensors.

Softmax along the last axis goes by blocks of rows that fit the cache.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ..support.bands import blocks, height_of, rows_of
from ..support.calls import Floats, bound_once, in_order, number, number_in, scratch
from ..support.classes import Flat, RealKernels

KERNELS = RealKernels()

_LEAST_TOTAL = number(1e-8)


@KERNELS.kernel("Softmax", cost=Cost.FAST)
def softmax(out: Flat, inp: Flat, axis: Int32Tensor, beta: PlainFloatTensor) -> BoundCall:
    def bind() -> BoundCall:
        along, factor = int(number_in(axis)) % inp.spec.rank, number_in(beta)
        if along == inp.spec.rank - 1 and factor > 0 and inp.array.size:
            return in_order(_by_rows(rows_of(inp.array), rows_of(out.array), factor))
        return _along(inp.array, out.array, along, factor)

    return bound_once([axis, beta], bind)


@KERNELS.kernel("LogSoftmax", cost=Cost.FAST)
def log_softmax(out: Flat, inp: Flat, axis: Int32Tensor, beta: PlainFloatTensor) -> BoundCall:
    exponentials = scratch(*inp.shape)

    def bind() -> BoundCall:
        along = int(number_in(axis)) % inp.spec.rank
        row = scratch(*(1 if i == along else n for i, n in enumerate(inp.shape)))
        shifted = out.array
        return in_order(
            [
                partial(np.multiply, inp.array, number(number_in(beta)), shifted),
                partial(np.maximum.reduce, shifted, axis=along, keepdims=True, out=row),
                partial(np.subtract, shifted, row, shifted),
                partial(np.exp, shifted, exponentials),
                partial(np.add.reduce, exponentials, axis=along, keepdims=True, out=row),
                partial(np.log, row, row),
                partial(np.subtract, shifted, row, shifted),
            ]
        )

    return bound_once([axis, beta], bind)


def _along(x: Floats, out: Floats, axis: int, beta: float) -> BoundCall:
    """Along any axis, over the whole array at once."""
    peak = scratch(*(1 if i == axis else n for i, n in enumerate(x.shape)))
    return in_order(
        [
            partial(np.multiply, x, number(beta), out),
            partial(np.maximum.reduce, out, axis=axis, keepdims=True, out=peak),
            partial(np.subtract, out, peak, out),
            partial(np.exp, out, out),
            partial(np.add.reduce, out, axis=axis, keepdims=True, out=peak),
            partial(np.divide, out, peak, out),
        ]
    )


def _by_rows(x: Floats, out: Floats, beta: float) -> Iterator[Call]:
    depth = x.shape[1]
    ones, totals = np.ones(depth, np.float32), scratch(min(len(x), height_of(depth)))
    for span in blocks(x):
        yield _block(x[span], out[span], beta, ones, totals[: span.stop - span.start])


def _block(x: Floats, out: Floats, beta: float, ones: Floats, totals: Floats) -> Call:
    """Softmax of each row of a block.

    One maximum serves all rows, which numpy finds much faster than one for each. Where a row is
    so far below it that its sum loses digits, or is not finite, the block is done row by row.
    """
    flat, column, peak, least = x.reshape(-1), totals[:, np.newaxis], number(0), number(0)
    row_by_row = _along(x, out, 1, beta)
    scale = [partial(np.multiply, out, number(beta), out)] if beta != 1 else []
    exponentials = in_order(
        [
            partial(np.maximum.reduce, flat, out=peak),
            partial(np.subtract, x, peak, out),
            *scale,
            partial(np.exp, out, out),
            partial(np.dot, out, ones, totals),
            partial(np.minimum.reduce, totals, out=least),
        ]
    )

    def run() -> None:
        exponentials()
        if least > _LEAST_TOTAL:
            np.reciprocal(totals, totals)
            np.multiply(out, column, out)
        else:
            row_by_row()

    return run
