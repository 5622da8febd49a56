"""Softmax, normalisations, reductions, scales and biases of flat f32 tensors, in blocks of rows.

Reduced dims stay, with size 1.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import prod

import numpy as np

from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import Tensor
from ..semantics.reference import by_semantics
from ..support.bands import DEPTH, blocks, height_of, layout_of, row_elements, row_shape, rows_of
from ..support.calls import Floats, always, bound_once, in_order, number, number_in, scratch
from ..support.classes import F32, Flat, FloatTensor, Param, RealKernels

KERNELS = RealKernels()

_Block = Callable[[Floats, Floats, Floats, Floats, Floats], list[Call]]
"""From rows, results, squares, stats and epsilon to the calls before scale and shift."""


def _root(rows: Floats, stat: Floats, epsilon: Floats) -> list[Call]:
    """stat = 1 / sqrt(mean of each row + epsilon)."""
    return [
        *_mean(rows, stat),
        partial(np.add, stat, epsilon, stat),
        partial(np.sqrt, stat, stat),
        partial(np.reciprocal, stat, stat),
    ]


def _mean(rows: Floats, stat: Floats) -> list[Call]:
    """A product with ones: numpy sums rows much slower."""
    depth = rows.shape[1]
    ones = np.ones(depth, np.float32)
    return [
        partial(np.dot, rows, ones, stat),
        partial(np.divide, stat, number(depth), stat),
    ]


def _centred(x: Floats, out: Floats, square: Floats, stat: Floats, epsilon: Floats) -> list[Call]:
    column = stat[:, np.newaxis]
    return [
        *_mean(x, stat),
        partial(np.subtract, x, column, out),
        partial(np.multiply, out, out, square),
        *_root(square, stat, epsilon),
        partial(np.multiply, out, column, out),
    ]


def _plain(x: Floats, out: Floats, square: Floats, stat: Floats, epsilon: Floats) -> list[Call]:
    return [
        partial(np.multiply, x, x, square),
        *_root(square, stat, epsilon),
        partial(np.multiply, x, stat[:, np.newaxis], out),
    ]


def _by_rows(
    block: _Block,
    x: Floats,
    out: Floats,
    affine: tuple[FloatTensor, FloatTensor],
    epsilon: Floats,
) -> Iterator[Call]:
    """Over the matrices x and out; a scale or shift that does nothing is left out."""
    gamma, beta = affine
    height = min(len(x), height_of(x.shape[1]))
    square, stat = scratch(height, x.shape[1]), scratch(height)
    for span in blocks(x):
        count = span.stop - span.start
        yield from block(x[span], out[span], square[:count], stat[:count], epsilon)
        if not always(gamma, 1):
            yield partial(np.multiply, out[span], gamma.array.reshape(-1), out[span])
        if not always(beta, 0):
            yield partial(np.add, out[span], beta.array.reshape(-1), out[span])


def _norm(
    name: str,
    block: _Block,
    out: FloatTensor,
    inp: FloatTensor,
    gamma: FloatTensor,
    beta: FloatTensor,
    axes: Tensor,
    epsilon: FloatTensor,
) -> BoundCall:
    def bind() -> BoundCall:
        rank = inp.spec.rank
        over = sorted(axis % rank for axis in axes.array.reshape(-1).tolist())
        if not over or over != list(range(over[0], rank)):
            return by_semantics(name)([out], [inp, gamma, beta, axes, epsilon])
        shape = prod(inp.shape[: over[0]]), prod(inp.shape[over[0] :])
        matrices = inp.array.reshape(shape), out.array.reshape(shape)
        added = epsilon.array.reshape(())
        return in_order(_by_rows(block, *matrices, (gamma, beta), added))

    return bound_once([axes], bind)


for _name, _block in (("LayerNorm", _centred), ("RmsNorm", _plain)):
    KERNELS.add(
        _name,
        partial(_norm, _name, _block),
        {"out": Flat},
        {
            "inp": Flat,
            "gamma": Param,
            "beta": Param,
            "axes": Int32Tensor,
            "epsilon": PlainFloatTensor,
        },
        name="by_rows",
        cost=Cost.FAST,
    )


@KERNELS.kernel("BiasAdd", cost=Cost.FAST)
def bias_add(out: F32, inp: F32, bias: Param) -> BoundCall:
    row, calls = _along_depth(inp, bias)
    calls.append(partial(np.add, inp.array, row, out.array))
    return in_order(calls)


@KERNELS.kernel("Batchnorm", cost=Cost.FAST)
def batchnorm(out: F32, inp: F32, weights: Param, bias: Param) -> BoundCall:
    scales, calls = _along_depth(inp, weights)
    shifts, laid = _along_depth(inp, bias)
    calls += laid
    calls.append(partial(np.multiply, inp.array, scales, out.array))
    calls.append(partial(np.add, out.array, shifts, out.array))
    return in_order(calls)


def _along_depth(inp: Tensor, param: Param) -> tuple[Floats, list[Call]]:
    """Return one number for each channel, to be used with the input, and calls that lay it out."""
    if inp.flat:
        return param.array, []
    layout, depth = layout_of(inp), inp.shape[DEPTH]
    row = np.zeros(row_elements(layout, inp.shape), np.float32)
    laid = partial(np.copyto, row[:depth], param.array.reshape(-1))
    return row.reshape(row_shape(layout, inp.shape)), [laid]


_LEAST_TOTAL = number(1e-8)


@KERNELS.kernel("Softmax", cost=Cost.FAST)
def softmax(out: Flat, inp: Flat, axis: Int32Tensor, beta: PlainFloatTensor) -> BoundCall:
    def bind() -> BoundCall:
        along, factor = int(number_in(axis)) % inp.spec.rank, number_in(beta)
        if along == inp.spec.rank - 1 and factor > 0 and inp.array.size:
            return in_order(_softmax_by_rows(rows_of(inp.array), rows_of(out.array), factor))
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


def _softmax_by_rows(x: Floats, out: Floats, beta: float) -> Iterator[Call]:
    depth = x.shape[1]
    ones, totals = np.ones(depth, np.float32), scratch(min(len(x), height_of(depth)))
    for span in blocks(x):
        yield _softmax_block(x[span], out[span], beta, ones, totals[: span.stop - span.start])


def _softmax_block(x: Floats, out: Floats, beta: float, ones: Floats, totals: Floats) -> Call:
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


_UFUNCS = {
    "Sum": np.add,
    "Mean": np.add,
    "Max": np.maximum,
    "Min": np.minimum,
    "Prod": np.multiply,
}


def reduced(name: str, out: Tensor, inp: Tensor, axes: Tensor) -> BoundCall:
    """Bind a reduction of stored elements, by the last part of its name."""

    def bind() -> BoundCall:
        over = tuple(int(axis) % inp.spec.rank for axis in axes.array.reshape(-1))
        total = partial(_UFUNCS[name].reduce, inp.array, axis=over, keepdims=True, out=out.array)
        if name != "Mean":
            return total
        count = number(inp.spec.elements / max(1, out.spec.elements))
        return in_order([total, partial(np.divide, out.array, count, out.array)])

    return bound_once([axes], bind)


for _name in _UFUNCS:
    KERNELS.add(
        f"Reduce{_name}",
        partial(reduced, _name),
        {"out": Flat},
        {"inp": Flat, "axes": Int32Tensor},
        name="reduce",
        cost=Cost.FAST,
    )
