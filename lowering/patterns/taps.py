"""Functions of rules about the taps of a convolution: those that read the image, or padding alone.

Example: of 3 taps that are 36 rows apart, around a padding of 36, the outer ones read no row of an
image of 33. The one in the middle reads all of them, and needs no padding.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...dialects.value import Shape
from ..rules import Node, external_constraint, shape_function


class _Taps(NamedTuple):
    """The taps along a dim that read the image, `first` to `end`, and the padding they need."""

    first: int
    end: int
    before: int
    after: int


@external_constraint("reads_padding_alone")
def reads_padding_alone(data: Node, filters: Node, *window: Node | int) -> bool:
    """Outer taps of the window read padding alone, others the image."""
    counts = [taps.end - taps.first for taps in _taps(data, filters, *window)]
    return min(counts) > 0 and counts != [*filters.shape[:2]]


@shape_function("first_taps")
def first_taps(data: Node, filters: Node, *window: Node | int) -> Shape:
    """The first tap along each dim that reads the image."""
    return (*(taps.first for taps in _taps(data, filters, *window)), 0, 0)


@shape_function("size_of_taps")
def size_of_taps(data: Node, filters: Node, *window: Node | int) -> Shape:
    """The dims of the filters that read the image."""
    counts = (taps.end - taps.first for taps in _taps(data, filters, *window))
    return (*counts, *filters.shape[2:])


@shape_function("pads_of_taps")
def pads_of_taps(data: Node, filters: Node, *window: Node | int) -> NDArray[np.int64]:
    """The padding around the image that taps read which read the image, too."""
    own = _taps(data, filters, *window)
    return np.array([(taps.before, taps.after) for taps in own], np.int64)


def _taps(data: Node, filters: Node, *window: Node | int) -> tuple[_Taps, _Taps]:
    """Find the taps along height and width that read the image.

    `window` are stride, pads and dilation, and the height and width of the result.
    """
    params = (
        np.asarray(node.constant).ravel().tolist() for node in window if isinstance(node, Node)
    )
    counts = [number for number in window if isinstance(number, int)]
    steps, around, apart = params
    height, width = (
        _along(counts[dim], data.shape[dim + 1], filters.shape[dim], steps[dim], apart[dim], *pads)
        for dim, pads in enumerate((around[:2], around[2:]))
    )
    return height, width


def _along(
    count: int, size: int, taps: int, step: int, apart: int, before: int, after: int
) -> _Taps:
    """Leave out first taps whose last place is before the image, and last ones that begin after."""
    lowest, end = before - (count - 1) * step, (size - 1 + before) // apart + 1
    first = min(max(0, -(-lowest // apart)), before // apart)
    left = min(max(0, taps - end), after // apart)
    return _Taps(first, taps - left, before - first * apart, after - left * apart)
