"""Tensors as matrices of their last axis, in blocks of rows that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ...kernel.kernel import Call
from . import pointwise
from .calls import Floats, scratch, spans

_ELEMENTS = 32768
"""Elements of a block: a few arrays of this size fit a second-level cache, and a call pays off."""


def rows_of(array: Floats) -> Floats:
    """View a contiguous array as a matrix: all axes but the last become one."""
    return array.reshape(prod(array.shape[:-1]), array.shape[-1])


def height_of(depth: int) -> int:
    """Count the rows of this depth in a block."""
    return max(1, _ELEMENTS // max(1, depth))


def blocks(rows: Floats) -> Iterator[slice]:
    """Cut the rows of a matrix into pieces that fit the cache."""
    yield from spans(len(rows), height_of(rows.shape[1]))


def finished(
    rows: Floats, bias_and_bounds: Sequence[Floats], gelu: bool = False, scale: Floats | None = None
) -> Iterator[Call]:
    """Scale, add a bias, bound and apply Gelu in place, block by block; each step is optional."""
    bias, bounds = bias_and_bounds[:1], [bound.reshape(()) for bound in bias_and_bounds[1:]]
    work = scratch(2, height_of(rows.shape[1]) * rows.shape[1]) if gelu else None
    for span in blocks(rows):
        block = rows[span]
        if scale is not None:
            yield partial(np.multiply, block, scale, block)
        for row in bias:
            yield partial(np.add, block, row.reshape(-1), block)
        if bounds:
            low, high = bounds
            yield from pointwise.clamp(block, low, high, block)
        if work is not None:
            values = block.reshape(-1)
            yield from pointwise.UNARY["Gelu"](values, values, work[:, : values.size])
