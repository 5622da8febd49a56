"""Tensors as matrices of their last axis, in blocks of rows that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from .calls import Floats, spans

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
