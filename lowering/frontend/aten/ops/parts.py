"""Tensors joined and cut along a dim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()
_END = 2**63 - 1


@ATEN.conversion("aten.cat")
def cat(node: AtenNode) -> SSAValue:
    """cat; what has no elements, as PyTorch's empty default, is left out."""
    parts = [node.cast(part, node.out().dtype) for part in node.values("tensors")]
    kept = [part for part in parts if node.shape(part) != (0,)] or parts[:1]
    axis = node.argument("dim") % max(1, len(node.out().shape))
    return kept[0] if len(kept) == 1 else node.one("Concat", *kept, axis=axis)


@ATEN.conversion("aten.stack")
def stack(node: AtenNode) -> SSAValue:
    """stack: cat along a new dim."""
    axis = node.argument("dim") % len(node.out().shape)
    shape = list(node.out().shape)
    shape[axis] = 1
    parts = [
        node.reshape(node.cast(part, node.out().dtype), shape) for part in node.values("tensors")
    ]
    return parts[0] if len(parts) == 1 else node.one("Concat", *parts, axis=axis)


@ATEN.conversion("aten.split_with_sizes", "aten.split.Tensor")
def split(node: AtenNode) -> list[SSAValue]:
    """split: PyTorch says the sizes of the parts."""
    axis = node.axis()
    return _cut(node, axis, [node.out(n).shape[axis] for n in range(len(node.info.outputs))])


@ATEN.conversion("aten.unbind")
def unbind(node: AtenNode) -> list[SSAValue]:
    """unbind: every index of a dim, which goes."""
    return _cut(node, node.axis(), [1] * len(node.info.outputs))


def _cut(node: AtenNode, axis: int, sizes: list[int]) -> list[SSAValue]:
    ends = np.cumsum(sizes).tolist()
    bounds = zip([0, *ends], ends, strict=False)
    parts = [sliced(node, axis, start, end) for start, end in bounds]
    return [node.reshape(part, node.out(n).shape) for n, part in enumerate(parts)]


@ATEN.conversion("aten.slice")
def slice_(node: AtenNode) -> SSAValue:
    """slice."""
    start, end = node.argument("start") or 0, node.argument("end")
    return sliced(node, node.axis(), start, _END if end is None else end, node.argument("step"))


@ATEN.conversion("aten.select")
def select(node: AtenNode) -> SSAValue:
    """select: one index of a dim, which goes."""
    axis = node.axis()
    index = node.argument("index") % node.shape(node.value("self"))[axis]
    return node.reshape(sliced(node, axis, index, index + 1), node.out().shape)


def sliced(node: AtenNode, axis: int, start: int, end: int, step: int = 1) -> SSAValue:
    """Return a slice of the argument `self`."""
    x = node.value("self")
    if start == 0 and step == 1 and end >= node.shape(x)[axis]:
        return x
    return node.one("Slice", x, *(np.array([n], np.int64) for n in (start, end, axis, step)))


@ATEN.conversion("aten.flip")
def flip(node: AtenNode) -> SSAValue:
    """flip: dims backwards."""
    x, dims = node.value("self"), np.array(node.argument("dims"), np.int64)
    ones = np.ones_like(dims)
    return node.one("Slice", x, -ones, -ones * _END, dims, -ones) if dims.size else x
