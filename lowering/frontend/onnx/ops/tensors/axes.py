"""Steps along one axis: the data as [before, axis, behind], which any rank can be."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from ....graph.value import Value


def product(x: Value, axis: int, matrix: NDArray[np.floating]) -> Value:
    """Return the data with one axis multiplied by a constant matrix [after, before]."""
    before, size, behind = prod(x.shape[:axis]), x.shape[axis], prod(x.shape[axis + 1 :])
    constant = x.like(matrix)
    if behind == 1:
        result = x.reshape(before, size).op("MatMul", constant, transpose_in1=True)
    else:
        result = constant @ x.reshape(before, size, behind)
    return result.reshape(*x.shape[:axis], len(matrix), *x.shape[axis + 1 :])


def largest(x: Value, axis: int, taps: NDArray[np.int32]) -> Value:
    """Return the data with each element of one axis the largest of `taps`, which is [after, n]."""
    rows = x.reshape(prod(x.shape[:axis]), x.shape[axis], prod(x.shape[axis + 1 :]))
    result = rows.gather(taps, axis=1).reduce("Max", (2,), keep=False)
    return result.reshape(*x.shape[:axis], len(taps), *x.shape[axis + 1 :])
