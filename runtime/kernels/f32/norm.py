"""Normalisations of flat f32 tensors, over the last axes in blocks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ..semantics.reference import by_semantics
from ..support.calls import Floats, in_order, number, scratch
from ..support.classes import Flat
from ..support.hoisting import always, bound_once
from ..support.rows import blocks, height_of, rows_of

KERNELS = KernelSet()

_Block = Callable[[Floats, Floats, Floats, Floats, Floats], list[Call]]
"""From rows, results, squares, statistics and epsilon to the calls before scale and shift."""


def _root(rows: Floats, found: Floats, epsilon: Floats) -> list[Call]:
    """found = 1 / sqrt(mean of each row + epsilon)."""
    return [
        *_mean(rows, found),
        partial(np.add, found, epsilon, found),
        partial(np.sqrt, found, found),
        partial(np.reciprocal, found, found),
    ]


def _mean(rows: Floats, found: Floats) -> list[Call]:
    """A product with ones: numpy sums rows much slower."""
    depth = rows.shape[1]
    ones = np.ones(depth, np.float32)
    return [partial(np.dot, rows, ones, found), partial(np.divide, found, number(depth), found)]


def _centred(x: Floats, out: Floats, square: Floats, found: Floats, epsilon: Floats) -> list[Call]:
    column = found[:, np.newaxis]
    return [
        *_mean(x, found),
        partial(np.subtract, x, column, out),
        partial(np.multiply, out, out, square),
        *_root(square, found, epsilon),
        partial(np.multiply, out, column, out),
    ]


def _plain(x: Floats, out: Floats, square: Floats, found: Floats, epsilon: Floats) -> list[Call]:
    return [
        partial(np.multiply, x, x, square),
        *_root(square, found, epsilon),
        partial(np.multiply, x, found[:, np.newaxis], out),
    ]


def _affine(out: Floats, gamma: PlainFloatTensor, beta: PlainFloatTensor) -> Iterator[Call]:
    """Scale and shift, without those that are known to do nothing."""
    if not always(gamma, 1):
        yield partial(np.multiply, out, gamma.array.reshape(-1), out)
    if not always(beta, 0):
        yield partial(np.add, out, beta.array.reshape(-1), out)


def _by_rows(
    block: _Block,
    x: Floats,
    out: Floats,
    affine: tuple[PlainFloatTensor, PlainFloatTensor],
    epsilon: Floats,
) -> Iterator[Call]:
    """Over the matrices x and out."""
    height = min(len(x), height_of(x.shape[1]))
    square, found = scratch(height, x.shape[1]), scratch(height)
    for span in blocks(x):
        count = span.stop - span.start
        yield from block(x[span], out[span], square[:count], found[:count], epsilon)
        yield from _affine(out[span], *affine)


def _declare(name: str, block: _Block) -> None:
    anyhow = by_semantics(name)

    @KERNELS.kernel(name, cost=Cost.FAST, name="by_rows")
    def norm(
        out: Flat,
        inp: Flat,
        gamma: PlainFloatTensor,
        beta: PlainFloatTensor,
        axes: Int32Tensor,
        epsilon: PlainFloatTensor,
    ) -> BoundCall:
        def bind() -> BoundCall:
            split = _first_of_last(axes.array.reshape(-1).tolist(), inp.spec.rank)
            if split is None:
                return anyhow([out], [inp, gamma, beta, axes, epsilon])
            shape = prod(inp.shape[:split]), prod(inp.shape[split:])
            matrices = inp.array.reshape(shape), out.array.reshape(shape)
            added = epsilon.array.reshape(())
            return in_order(_by_rows(block, *matrices, (gamma, beta), added))

        return bound_once([axes], bind)


@KERNELS.kernel("Batchnorm", cost=Cost.FAST)
def batchnorm(out: Flat, inp: Flat, weights: PlainFloatTensor, bias: PlainFloatTensor) -> BoundCall:
    source, made = rows_of(inp.array), rows_of(out.array)
    scale, shift = weights.array.reshape(-1), bias.array.reshape(-1)
    return in_order(
        call
        for span in blocks(source)
        for call in (
            partial(np.multiply, source[span], scale, made[span]),
            partial(np.add, made[span], shift, made[span]),
        )
    )


def _first_of_last(axes: Sequence[int], rank: int) -> int | None:
    """The first of the axes where they are the last ones of the tensor; None where not."""
    found = sorted(axis % rank for axis in axes)
    return found[0] if found and found == list(range(found[0], rank)) else None


_declare("LayerNorm", _centred)
_declare("RmsNorm", _plain)
