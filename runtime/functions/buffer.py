"""The block op Buffer as a pure step: it gathers rows across inferences."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .support.arrays import Array, DType


class BufferMode(IntEnum):
    """The behaviour while the buffer is not full; the numbers are those of the param `mode`."""

    BLOCKING = 0
    NON_BLOCKING_LEFT = 1
    NON_BLOCKING_RIGHT = 2


Counters = NDArray[np.int32]


def initial_content(
    shape: Sequence[int], dtype: DType, padding: int, dim: int, fill: int = 0
) -> tuple[Array, Counters]:
    """Content and counters before the first step: `padding` rows of `fill` count as filled.

    shape is the output's, its axis `dim` is the buffer size in rows.
    """
    content = np.full(tuple(shape), fill, dtype)
    return content, np.array([padding, padding == shape[dim]], np.int32)


def buffer_step(
    content: Array,
    counters: Counters,
    inp: Array,
    dim: int,
    stride: int,
    mode: BufferMode,
    fill: int = 0,
) -> tuple[Array, Array, Counters, bool]:
    """One inference -> (out, new content, new counters, ready).

    If full, the oldest `stride` rows go and the rest moves to the front; then the rows of `inp` are
    appended. content is aligned to the front with `fill` behind it. counters = [rows filled, 1 if
    full at any time since the last reset]. out is right-aligned in NON_BLOCKING_RIGHT until the
    buffer has been full once. ready is false while a BLOCKING buffer is not full.
    """
    size, filled = content.shape[dim], int(counters[0])
    kept = filled - stride if filled == size else filled
    old = np.moveaxis(content, dim, 0)[filled - kept : filled]
    rows = np.concatenate([old, np.moveaxis(inp, dim, 0)])
    full = len(rows) == size
    been_full = full or bool(counters[1])
    empty = np.full((size - len(rows), *rows.shape[1:]), fill, content.dtype)
    left = np.moveaxis(np.concatenate([rows, empty]), 0, dim)
    right = np.moveaxis(np.concatenate([empty, rows]), 0, dim)
    aligned_right = mode is BufferMode.NON_BLOCKING_RIGHT and not been_full
    return (
        np.array(right if aligned_right else left, order="C"),
        np.array(left, order="C"),
        np.array([len(rows), been_full], np.int32),
        full or mode is not BufferMode.BLOCKING,
    )
