"""Indexing by tensors: what they choose, and what is written there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.value.dtypes import DType
from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.index_select")
def index_select(node: AtenNode) -> SSAValue:
    """index_select: Gather along a dim."""
    x, index = node.value("self"), node.value("index")
    row = node.reshape(index, node.shape(index) or (1,))
    chosen = node.one("Gather", node.reshape(x, node.shape(x) or (1,)), row, axis=node.axis())
    return node.reshape(chosen, node.out().shape)


@ATEN.conversion("aten.embedding")
def embedding(node: AtenNode) -> SSAValue:
    """embedding: rows of the weight."""
    return node.one("Gather", node.value("weight"), node.value("indices"), axis=0)


@ATEN.conversion("aten.gather")
def gather(node: AtenNode) -> SSAValue:
    """gather: elements along a dim."""
    x, index = (node.value(name) for name in ("self", "index"))
    x, index = (node.reshape(each, node.shape(each) or (1,)) for each in (x, index))
    out = node.one("GatherElements", x, index, axis=node.axis())
    return node.reshape(out, node.out().shape)


@dataclass(frozen=True)
class _Places:
    """The elements that indices choose: the dims that they index, and rows of numbers of these."""

    axes: tuple[int, ...]
    rows: SSAValue
    shape: tuple[int, ...]
    """The shape that the indices have together."""


@ATEN.conversion("aten.index.Tensor")
def index(node: AtenNode) -> SSAValue:
    """Indexing by integers, or by truth values that are constant."""
    x = node.value("self")
    places = _places(node, x)
    rank, count = len(node.shape(x)), len(places.axes)
    rest = [dim for dim in range(rank) if dim not in places.axes]
    chosen = node.one("GatherND", node.transpose(x, [*places.axes, *rest]), places.rows)
    first = places.axes[0]
    if places.axes == tuple(range(first, first + count)):
        # Indices side by side stand in the result where they stood.
        depth = len(places.shape)
        moved = range(depth, depth + first), range(depth), range(depth + first, depth + len(rest))
        chosen = node.transpose(chosen, [dim for part in moved for dim in part])
    return chosen


@ATEN.conversion("aten.index_put")
def index_put(node: AtenNode) -> SSAValue:
    """index_put: written at integers, or one number where a mask is true."""
    x, values = node.value("self"), node.as_out("values")
    (first, *others) = node.argument("indices")
    mask = node.tensor(first, "indices") if first is not None and not others else None
    if mask is not None and node.dtype(mask) is DType.Bool8 and node.shape(values) in ((), (1,)):
        node.require(not node.argument("accumulate"), "accumulates where a mask is true")
        wide = (*node.shape(mask), *(1,) * (len(node.shape(x)) - len(node.shape(mask))))
        return node.one("Where", node.reshape(mask, wide), values, x)
    places = _places(node, x)
    perm = [*places.axes, *(d for d in range(len(node.shape(x))) if d not in places.axes)]
    front = node.transpose(x, perm)
    shape = (*places.shape, *node.shape(front)[len(places.axes) :])
    node.require(places.axes[0] == 0, "leaves the first dim whole", "permute it behind the others")
    wide_values = node.one("Expand", values, np.array(shape, np.int64))
    reduction = "add" if node.argument("accumulate") else "none"
    written = node.one("ScatterND", front, places.rows, wide_values, reduction=reduction)
    return node.transpose(written, np.argsort(perm).tolist())


def _places(node: AtenNode, x: SSAValue) -> _Places:
    """Read the indices: masks count as the integers of the places where they are true."""
    numbers: dict[int, SSAValue] = {}
    axis = 0
    for each in node.argument("indices"):
        parts = [] if each is None else _integers(node, each)
        numbers |= {axis + place: part for place, part in enumerate(parts)}
        axis += max(1, len(parts))
    shape = np.broadcast_shapes(*map(node.shape, numbers.values()))
    rows = [_row(node, value, shape) for value in numbers.values()]
    joined = rows[0] if len(rows) == 1 else node.one("Concat", *rows, axis=-1)
    return _Places(tuple(numbers), joined, shape)


def _integers(node: AtenNode, argument: object) -> Sequence[SSAValue]:
    """Return an index of integers, or those of a mask, one for each of its dims."""
    value = node.tensor(argument, "indices")
    if node.dtype(value) is not DType.Bool8:
        return [node.cast(value, DType.Int64)]
    return [node.const(row) for row in np.nonzero(node.constant(argument, "indices"))]


def _row(node: AtenNode, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    wide = value
    if node.shape(value) != shape:
        wide = node.one("Expand", value, np.array(shape, np.int64))
    return node.reshape(wide, (*shape, 1))


@ATEN.conversion("aten.masked_scatter")
def masked_scatter(node: AtenNode) -> SSAValue:
    """masked_scatter: the next element of the source wherever the mask is true."""
    x, source = node.value("self"), node.value("source")
    shape = np.array(node.out().shape, np.int64)
    mask, x = (node.one("Expand", each, shape) for each in (node.value("mask"), x))
    count, size = int(shape.prod()), int(np.prod(node.shape(source)))
    flat = node.cast(node.reshape(mask, (count,)), DType.Int64)
    order = node.one("CumSum", flat, np.array(0))
    place = node.one("Sub", order, node.scalar(1, order))
    inside = node.one("Max", place, node.scalar(0, place))
    inside = node.one("Min", inside, node.scalar(max(0, size - 1), place))
    chosen = node.one("Gather", node.reshape(source, (size,)), inside)
    return node.one("Where", mask, node.reshape(chosen, node.out().shape), x)
