"""Transposition as copies between views, in bands that keep to the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ...functions.support.arrays import Array
from ...kernel.kernel import Call
from .calls import spans

_BAND = 64
"""Elements of the last axis that a band takes: as many lines of the input stay in cache."""
_LEAST = 4096
"""Elements below which a band costs more than it saves."""


def transposed(source: Array, perm: Sequence[int], target: Array) -> Iterator[Call]:
    """Calls that write axis perm[i] of a contiguous source to axis i of the target."""
    if not target.flags.c_contiguous:
        yield partial(np.copyto, target, source.transpose(perm))
        return
    shape, order = merged(source.shape, perm)
    if not shape:
        yield partial(np.copyto, target.reshape(-1), source.reshape(-1))
        return
    view = source.reshape(shape).transpose(order)
    result = target.reshape(view.shape)
    for band in _bands(view.shape, order):
        yield partial(np.copyto, result[..., band], view[..., band])


def merged(shape: Sequence[int], perm: Sequence[int]) -> tuple[list[int], list[int]]:
    """Drop axes of 1 from a transposition, and join axes that stay together."""
    groups: list[list[int]] = []
    last = -1
    for axis in (axis for axis in perm if shape[axis] != 1):
        if groups and last < axis and prod(shape[last + 1 : axis]) == 1:
            groups[-1].append(axis)
        else:
            groups.append([axis])
        last = axis
    ordered = sorted(groups)
    extents = [prod(shape[axis] for axis in group) for group in ordered]
    return extents, [ordered.index(group) for group in groups]


def _bands(shape: Sequence[int], order: Sequence[int]) -> Iterator[slice]:
    if order[-1] == len(order) - 1:
        yield slice(None)
        return
    others = max(1, prod(shape[:-1]))
    yield from spans(shape[-1], max(_BAND, _LEAST // others))
