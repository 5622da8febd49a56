"""Ops that move elements and compute nothing. Every result is a new, contiguous array."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .support.arrays import Array, Pair, narrow, widen


class PadScheme(IntEnum):
    """The content of the padding; the numbers are those of the QNN Pad param `scheme`."""

    CONSTANT = 0
    MIRROR_SYMMETRIC = 1
    MIRROR_REFLECT = 2
    EDGE = 3


def concat(parts: Sequence[Array], axis: int) -> Array:
    """The parts one after another along `axis`."""
    return np.concatenate(parts, axis=axis)


def split(x: Array, axis: int, cuts: Sequence[int]) -> list[Array]:
    """len(cuts) + 1 parts along `axis`; part i begins at cuts[i - 1]."""
    return [part.copy() for part in np.split(x, list(cuts), axis=axis)]


def strided_slice(x: Array, ranges: Sequence[tuple[int, int, int]]) -> Array:
    """Elements begin, begin + stride, ... before `end` of each axis, one range per axis.

    Bounds count from the start of the axis; with a negative stride the end -1 means that element 0
    is the last one taken.
    """
    taken = tuple(
        slice(begin, None if stride < 0 and end < 0 else end, stride)
        for begin, end, stride in ranges
    )
    return np.array(x[taken], order="C")


def transpose(x: Array, perm: Sequence[int]) -> Array:
    """Axis i of the result is axis perm[i] of x."""
    return np.transpose(x, list(perm)).copy()


def reshape(x: Array, shape: Sequence[int]) -> Array:
    """The same elements in row-major order under another shape."""
    return x.reshape(tuple(shape)).copy()


def pad(
    x: Array,
    amounts: Sequence[Pair],
    value: float = 0,
    scheme: PadScheme = PadScheme.CONSTANT,
) -> Array:
    """x with (before, after) elements added to each axis; `value` serves CONSTANT only."""
    widths = np.array(amounts, np.intp).reshape(-1, 2)
    if not widths.any():
        return x.copy()
    match scheme:
        case PadScheme.CONSTANT:
            filler = value if x.dtype.kind == "f" else int(value)
            return np.pad(x, widths, constant_values=filler)
        case PadScheme.MIRROR_SYMMETRIC:
            return np.pad(x, widths, mode="symmetric")
        case PadScheme.MIRROR_REFLECT:
            return np.pad(x, widths, mode="reflect")
        case PadScheme.EDGE:
            return np.pad(x, widths, mode="edge")


def gather(x: Array, indices: NDArray[np.integer], axis: int) -> Array:
    """Slices of x at `indices` along `axis`; a negative index counts from the end.

    An index outside [-n, n) raises IndexError.
    """
    axis %= x.ndim
    extent = x.shape[axis]
    wrong = indices[(indices < -extent) | (indices >= extent)]
    if wrong.size:
        raise IndexError(
            f"gather index {int(wrong.flat[0])} is outside [{-extent}, {extent}) of axis {axis}"
        )
    return np.asarray(np.take(x, indices, axis=axis))


def tile(x: Array, multiples: Sequence[int]) -> Array:
    """x repeated multiples[i] times along axis i."""
    return np.tile(x, tuple(multiples))


class Reduction(IntEnum):
    """The join of an update with the element that is there; numbers as in the dialect."""

    NONE = 0
    ADD = 1
    MUL = 2
    MAX = 3
    MIN = 4


_JOINS: dict[Reduction, np.ufunc] = {
    Reduction.ADD: np.add,
    Reduction.MUL: np.multiply,
    Reduction.MAX: np.maximum,
    Reduction.MIN: np.minimum,
}


def scatter_nd(
    x: Array,
    indices: NDArray[np.integer],
    updates: Array,
    reduction: Reduction = Reduction.NONE,
) -> Array:
    """x with rows of updates at tuples of coordinates; of equal tuples the last one counts.

    x [d0, ...], indices [..., k] for the first k dims, updates [..., dk, ...]. f16 is joined in
    f32 and rounded once. An index outside [-n, n) raises IndexError.
    """
    width = indices.shape[-1]
    tuples = indices.reshape(-1, width)
    for axis, (extent, column) in enumerate(zip(x.shape, tuples.T, strict=False)):
        wrong = column[(column < -extent) | (column >= extent)]
        if wrong.size:
            outside = f"is outside [{-extent}, {extent}) of axis {axis}"
            raise IndexError(f"scatter index {int(wrong.flat[0])} {outside}")
    rows = updates.reshape(len(tuples), *x.shape[width:])
    places = tuple(tuples.T)
    if reduction is Reduction.NONE:
        out = x.copy()
        out[places] = rows
        return out
    half = x.dtype == np.float16
    out, rows = (widen(x).copy(), widen(rows)) if half else (x.copy(), rows)
    with np.errstate(all="ignore"):
        _JOINS[reduction].at(out, places, rows)
    return narrow(out, x.dtype)
