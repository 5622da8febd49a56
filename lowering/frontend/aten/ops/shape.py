"""Shapes: reshapes, transposes, repetitions, pads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.view.default", "aten._unsafe_view", "aten.squeeze", "aten.unsqueeze")
def reshape(node: AtenNode) -> SSAValue:
    """Reshapes: PyTorch says the shape of the result."""
    return node.reshape(node.value("self"), node.out().shape)


@ATEN.conversion("aten.permute")
def permute(node: AtenNode) -> SSAValue:
    """permute."""
    dims = node.argument("dims")
    return node.transpose(node.value("self"), [dim % len(dims) for dim in dims])


@ATEN.conversion("aten.expand")
def expand(node: AtenNode) -> SSAValue:
    """expand: PyTorch says the shape."""
    x, shape = node.value("self"), node.out().shape
    return x if node.shape(x) == shape else node.one("Expand", x, np.array(shape, np.int64))


@ATEN.conversion("aten.repeat")
def repeat(node: AtenNode) -> SSAValue:
    """repeat: the whole tensor, a number of times along each dim."""
    x, times = node.value("self"), list(node.argument("repeats"))
    rank = max(len(times), len(node.shape(x)))
    times = [1] * (rank - len(times)) + times
    x = node.reshape(x, (*(1,) * (rank - len(node.shape(x))), *node.shape(x)))
    return node.one("Tile", x, np.array(times, np.int64)) if rank else x


@ATEN.conversion("aten.pixel_shuffle")
def pixel_shuffle(node: AtenNode) -> SSAValue:
    """pixel_shuffle: blocks of depth become blocks of pixels."""
    x, block = node.value("self"), node.argument("upscale_factor")
    *batch, depth, height, width = node.shape(x)
    count, rest = int(np.prod(batch)), depth // block**2
    parts = node.reshape(x, (count, rest, block, block, height, width))
    return node.reshape(node.transpose(parts, (0, 1, 4, 2, 5, 3)), node.out().shape)


@ATEN.conversion("aten.pixel_unshuffle")
def pixel_unshuffle(node: AtenNode) -> SSAValue:
    """pixel_unshuffle, the inverse of pixel_shuffle."""
    x, block = node.value("self"), node.argument("downscale_factor")
    *batch, depth, height, width = node.shape(x)
    planes = int(np.prod(batch)) * depth
    parts = node.reshape(x, (planes, height // block, block, width // block, block))
    return node.reshape(node.transpose(parts, (0, 2, 4, 1, 3)), node.out().shape)


@ATEN.conversion("aten.constant_pad_nd")
def constant_pad(node: AtenNode) -> SSAValue:
    """constant_pad_nd."""
    return _padded(node, "constant", node.argument("pad"))


@ATEN.conversion(*(f"aten.reflection_pad{n}d" for n in (1, 2, 3)))
def reflection_pad(node: AtenNode) -> SSAValue:
    """reflection_pad."""
    return _padded(node, "reflect", node.argument("padding"))


@ATEN.conversion(*(f"aten.replication_pad{n}d" for n in (1, 2, 3)))
def replication_pad(node: AtenNode) -> SSAValue:
    """replication_pad."""
    return _padded(node, "edge", node.argument("padding"))


def _padded(node: AtenNode, mode: str, amounts: list[int]) -> SSAValue:
    """Build a Pad; pairs of amounts come from the last dim on, and may cut."""
    x = node.value("self")
    rank = len(node.shape(x))
    before, after = [0] * rank, [0] * rank
    for index in range(len(amounts) // 2):
        before[rank - 1 - index], after[rank - 1 - index] = amounts[2 * index : 2 * index + 2]
    number = node.array(node.argument("value") or 0, x) if mode == "constant" else None
    return node.one("Pad", x, np.array([*before, *after], np.int64), number, mode=mode)
