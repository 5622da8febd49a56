"""Functions of rules about places: where a Resize reads, and what a tile of it reads.

A line of places is (extent, step, start, unit, reach): element n of the result is computed from the
elements within `reach` of (n * step + start) / unit, those of the operand at its ends included.

Example: 4 rows made 8 by half pixels, linear, are (8, 2, -1, 4, 1). A tile of the rows 4 to 7 lies
at 1.75, 2.25, 2.75 and 3.25, and reads the rows 1 to 3. From there on its line is (4, 2, 3, 4, 1).
"""

import numpy as np
from numpy.typing import NDArray

from ...dialects.value import Shape
from ...runtime.functions.image import stated_places
from ..rules import Node, Split, shape_function
from ..rules.graph.graph import EvaluationError

_CUBIC = 2
Line = tuple[int, int, int, int, int]


@shape_function("places_along")
def places_along(before: int, after: int, place: int, interpolation: int) -> NDArray[np.int64]:
    """The line of places of a transformation."""
    reach = 2 if interpolation == _CUBIC else 1
    return np.array((*stated_places(before, after, place), reach), np.int64)


@shape_function("reached_start")
def reached_start(cut: Split, data: Node, line: Node, dim: int) -> Shape:
    """The start of what a slice reads of `data`."""
    first, _ = _reached(cut, data, line, dim)
    return tuple(first if axis == dim else 0 for axis in range(len(data.shape)))


@shape_function("reached_size")
def reached_size(cut: Split, data: Node, line: Node, dim: int) -> Shape:
    """The dims of the data that a cut reads."""
    first, last = _reached(cut, data, line, dim)
    return (*data.shape[:dim], last - first + 1, *data.shape[dim + 1 :])


@shape_function("places_of_slice")
def places_of_slice(cut: Split, data: Node, line: Node, dim: int) -> NDArray[np.int64]:
    """The line of places of the slice in what it reads."""
    _, step, start, unit, reach = _line(line)
    first, _ = _reached(cut, data, line, dim)
    start += cut.start * step - first * unit
    return np.array((cut.size, step, start, unit, reach), np.int64)


def _reached(cut: Split, data: Node, line: Node, dim: int) -> tuple[int, int]:
    """Return the first and the last element that a slice reads."""
    _, step, start, unit, reach = _line(line)
    ends = sorted((n * step + start) // unit for n in (cut.start, cut.start + cut.size - 1))
    last = data.shape[dim] - 1
    return min(max(ends[0] - reach + 1, 0), last), min(max(ends[1] + reach, 0), last)


def _line(node: Node) -> Line:
    numbers = node.constant
    if numbers is None:
        raise EvaluationError(f"{node.name} is no constant line of places")
    extent, step, start, unit, reach = numbers.reshape(-1).tolist()
    return extent, step, start, unit, reach
