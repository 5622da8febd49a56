"""Elements by their numbers: what a constant map takes from a tensor, or puts into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

Numbers = np.ndarray[Any, np.dtype[np.int64]]


def taken(node: AtenNode, x: SSAValue, numbers: Numbers) -> SSAValue:
    """Return the elements of these numbers, in their shape."""
    flat = node.reshape(x, (int(np.prod(node.shape(x))),))
    return node.one("Gather", flat, np.ascontiguousarray(numbers), axis=0)


def numbers_of(node: AtenNode, x: SSAValue) -> Numbers:
    """Return the number of each element of a value."""
    return np.arange(int(np.prod(node.shape(x)))).reshape(node.shape(x))


@ATEN.conversion("aten.diagonal")
def diagonal(node: AtenNode) -> SSAValue:
    """diagonal of two dims."""
    x = node.value("self")
    offset, *dims = (node.argument(name) for name in ("offset", "dim1", "dim2"))
    return taken(node, x, numbers_of(node, x).diagonal(offset, *dims))


@ATEN.conversion("aten.unfold")
def unfold(node: AtenNode) -> SSAValue:
    """unfold: windows along a dim, as a last dim."""
    x, axis = node.value("self"), node.axis("dimension")
    windows = sliding_window_view(numbers_of(node, x), node.argument("size"), axis)
    steps = np.moveaxis(windows, axis, 0)[:: node.argument("step")]
    return taken(node, x, np.moveaxis(steps, 0, axis))


@ATEN.conversion("aten.select_scatter", "aten.slice_scatter", "aten.diagonal_scatter")
def put(node: AtenNode) -> SSAValue:
    """A tensor with another in the place of a part of it."""
    x, source = node.value("self"), node.as_out("src")
    numbers = numbers_of(node, x)
    _part(node, numbers)[...] = numbers.size + numbers_of(node, source)
    parts = [node.reshape(each, (int(np.prod(node.shape(each))),)) for each in (x, source)]
    return node.one("Gather", node.one("Concat", *parts, axis=0), numbers, axis=0)


def _part(node: AtenNode, numbers: Numbers) -> Numbers:
    """Return the view of the numbers that an op writes."""
    if "diagonal" in node.info.op:
        offset, *dims = (node.argument(name) for name in ("offset", "dim1", "dim2"))
        view = numbers.diagonal(offset, *dims)
        view.flags.writeable = True
        return view
    front = np.moveaxis(numbers, node.argument("dim"), 0)
    if "select" in node.info.op:
        index = node.argument("index")
        return np.squeeze(front[index : index + 1 or None], 0)
    chosen = slice(*(node.argument(name) for name in ("start", "end", "step")))
    return np.moveaxis(front[chosen], 0, node.argument("dim"))
