"""Steps that importers share: margins of a tensor, products along an axis, element numbers."""

from collections.abc import Sequence
from math import isnan, prod

import numpy as np
from numpy.typing import NDArray

from .....dialects.spec_of import Array
from ...graph.value import Value, where
from ...support.registry import require
from ...support.types import require_few


def fits_param(number: float) -> bool:
    """Tell whether a param, which is f32, holds a number, integers too."""
    with np.errstate(over="ignore"):
        return isnan(number) or float(np.float32(number)) == number


def linear(x: Value, factor: float, offset: float) -> Value:
    """x * factor + offset, without what changes nothing."""
    x = x if factor == 1 else x * factor
    return x + offset if offset else x


def margins(x: Value, pairs: Sequence[tuple[int, int]], value: float = 0.0) -> Value:
    """Return the data with (before, after) elements of one value by dim; a negative count crops."""
    ends = [
        (max(-before, 0), size - max(-after, 0))
        for (before, after), size in zip(pairs, x.shape, strict=True)
    ]
    for axis, (begin, end) in enumerate(ends):
        require(begin <= end, f"crops more of dim {axis} than its {x.shape[axis]} elements")
    x = x[tuple(slice(*pair) for pair in ends)]
    amounts = [max(count, 0) for pair in pairs for count in pair]
    if not any(amounts):
        return x
    if fits_param(value):
        return x.op("Pad", pad_amount=amounts, pad_constant_value=float(value))
    # What is too long for a param is chosen where the margins are.
    count = prod(size + sum(pair) for size, pair in zip(x.shape, pairs, strict=True))
    require_few(count, f"gives {count} elements, filled with a number that is no f32")
    inside = np.pad(np.ones(x.shape, bool), [*zip(amounts[::2], amounts[1::2], strict=True)])
    return where(inside, x.op("Pad", pad_amount=amounts), value)


def from_front(indices: Value, extents: Array | int) -> Value:
    """Return indices counted from the front: a negative one gets the extent of its dim added."""
    return where(indices < 0, indices + extents, indices)


def element_numbers(indices: Value, shape: Sequence[int], axis: int) -> Value:
    """Return the numbers, in row-major order, of elements whose coordinate on `axis` is an index.

    The other coordinates are those of the index itself.
    """
    rank, count = indices.rank, prod(indices.shape)
    require(rank == len(shape), f"the indices have rank {rank}, the data has {len(shape)}")
    require_few(count, f"numbers {count} elements on import")
    strides = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    others = np.zeros(indices.shape, np.int64)
    for dim, places in enumerate(np.indices(indices.shape, sparse=True)):
        others += places * strides[dim] if dim != axis else 0
    return from_front(indices, shape[axis]) * strides[axis] + others


def row_numbers(indices: Value, shape: Sequence[int], batch: int = 0) -> Value:
    """Return the numbers of the rows that tuples of coordinates name, behind the batch dims.

    The last dim of the indices holds the tuples; a row is what lies behind the dims that they name.
    """
    *front, width = indices.shape
    extents = shape[batch : batch + width]
    strides = [prod(extents[dim + 1 :]) for dim in range(width)]
    along = from_front(indices, np.array(extents)) * np.array(strides)
    numbers = along.reduce("Sum", [len(front)], keep=False)
    if not batch:
        return numbers
    require_few(prod(shape[:batch]), f"has {prod(shape[:batch])} rows")
    first = np.arange(prod(shape[:batch])) * prod(extents)
    return numbers + first.reshape(*shape[:batch], *(1,) * (len(front) - batch))


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


def power_of_size(x: Value, p: int) -> Value:
    """|x| to the power of p."""
    require(p >= 1, f"attribute 'p' is {p}", "use a number >= 1")
    if p == 2:
        return x * x
    return x.abs() if p == 1 else x.abs() ** p


def root(x: Value, p: int) -> Value:
    """Return the p-th root of numbers >= 0."""
    if p == 2:
        return x.sqrt()
    return x if p == 1 else x ** (1 / p)
