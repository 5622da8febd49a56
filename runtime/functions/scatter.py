"""Writes to places that an operand names. Source: ONNX operator spec ScatterND."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .support.arrays import Array, narrow, widen


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
