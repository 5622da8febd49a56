"""Ops of ATen that move elements."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ..node import AtenNode
from ..registry import TorchConversions

ATEN = TorchConversions()
_END = 2**63 - 1


@ATEN.conversion(
    *("aten.view", "aten.reshape", "aten._unsafe_view", "aten.flatten", "aten.unflatten"),
    *("aten.squeeze", "aten.unsqueeze", "aten.view_copy"),
)
def reshape(node: AtenNode) -> SSAValue:
    """Reshapes: PyTorch says the shape of the result."""
    return node.reshape(node.value("self"), node.out().shape)


@ATEN.conversion("aten.permute", "aten.transpose", "aten.t", "aten.numpy_T", "aten.movedim")
def permute(node: AtenNode) -> SSAValue:
    """permute, transpose and t."""
    x = node.value("self")
    perm = list(range(len(node.shape(x))))
    if node.given("dims"):
        perm = [dim % len(perm) for dim in node.argument("dims")]
    elif node.given("dim0"):
        a, b = (node.argument(name) % len(perm) for name in ("dim0", "dim1"))
        perm[a], perm[b] = perm[b], perm[a]
    else:
        perm.reverse()
    return node.transpose(x, perm)


@ATEN.conversion("aten.cat")
def cat(node: AtenNode) -> SSAValue:
    """cat; what has no elements, as PyTorch's empty default, is left out."""
    parts = [node.cast(part, node.out().dtype) for part in node.values("tensors")]
    kept = [part for part in parts if node.shape(part) != (0,)] or parts[:1]
    axis = node.argument("dim") % max(1, len(node.out().shape))
    return kept[0] if len(kept) == 1 else node.onnx("Concat", *kept, axis=axis)[0]


@ATEN.conversion("aten.stack")
def stack(node: AtenNode) -> SSAValue:
    """stack: cat along a new dim."""
    axis = node.argument("dim") % len(node.out().shape)
    shape = list(node.out().shape)
    shape[axis] = 1
    parts = [node.reshape(part, shape) for part in node.values("tensors")]
    return parts[0] if len(parts) == 1 else node.onnx("Concat", *parts, axis=axis)[0]


@ATEN.conversion(
    "aten.split", "aten.split_with_sizes", "aten.chunk", "aten.unbind", "aten.split_with_sizes_copy"
)
def split(node: AtenNode) -> list[SSAValue]:
    """split, chunk and unbind: PyTorch says the shapes of the parts."""
    x, axis = node.value("self"), node.axis()
    parts: list[SSAValue] = []
    start = 0
    for index in range(len(node.info.outputs)):
        shape = node.out(index).shape
        size = 1 if "unbind" in node.info.op else shape[axis]
        parts.append(node.reshape(_sliced(node, x, axis, start, start + size), shape))
        start += size
    return parts


@ATEN.conversion("aten.slice", "aten.narrow")
def slice_(node: AtenNode) -> SSAValue:
    """slice and narrow."""
    x, axis = node.value("self"), node.axis()
    if "narrow" in node.info.op:
        start = node.argument("start") % max(1, node.shape(x)[axis])
        return _sliced(node, x, axis, start, start + node.argument("length"))
    start, end = node.argument("start") or 0, node.argument("end")
    return _sliced(node, x, axis, start, _END if end is None else end, node.argument("step"))


@ATEN.conversion("aten.select")
def select(node: AtenNode) -> SSAValue:
    """select: one index of a dim, which goes."""
    x, axis = node.value("self"), node.axis()
    index = node.argument("index") % node.shape(x)[axis]
    return node.reshape(_sliced(node, x, axis, index, index + 1), node.out().shape)


def _sliced(
    node: AtenNode, x: SSAValue, axis: int, start: int, end: int, step: int = 1
) -> SSAValue:
    bounds = (np.array([number], np.int64) for number in (start, end, axis, step))
    if start == 0 and step == 1 and end >= node.shape(x)[axis]:
        return x
    return node.onnx("Slice", x, *bounds)[0]


@ATEN.conversion("aten.expand", "aten.broadcast_to", "aten.expand_as")
def expand(node: AtenNode) -> SSAValue:
    """expand: PyTorch says the shape."""
    x, shape = node.value("self"), node.out().shape
    return x if node.shape(x) == shape else node.onnx("Expand", x, np.array(shape, np.int64))[0]


@ATEN.conversion("aten.repeat", "aten.tile")
def repeat(node: AtenNode) -> SSAValue:
    """repeat: the whole tensor, so often along each dim."""
    x = node.value("self")
    times = node.argument("repeats" if "repeats" in node.info.args else "dims")
    times = [1] * (len(node.shape(x)) - len(times)) + list(times)
    x = node.reshape(x, (*(1,) * (len(times) - len(node.shape(x))), *node.shape(x)))
    return node.onnx("Tile", x, np.array(times, np.int64))[0]


@ATEN.conversion("aten.flip")
def flip(node: AtenNode) -> SSAValue:
    """flip: dims backwards."""
    x, dims = node.value("self"), np.array(node.argument("dims"), np.int64)
    ones = np.ones_like(dims)
    return node.onnx("Slice", x, -ones, ones - _END, dims, -ones)[0]


@ATEN.conversion(
    "aten.constant_pad_nd",
    "aten.pad",
    "aten.reflection_pad1d",
    "aten.reflection_pad2d",
    "aten.replication_pad1d",
    "aten.replication_pad2d",
)
def pad(node: AtenNode) -> SSAValue:
    """Padding: pairs of amounts from the last dim on."""
    x = node.value("self")
    amounts = node.argument("pad" if "pad" in node.info.args else "padding")
    rank = len(node.shape(x))
    before, after = [0] * rank, [0] * rank
    for index in range(len(amounts) // 2):
        before[rank - 1 - index], after[rank - 1 - index] = amounts[2 * index : 2 * index + 2]
    stated = node.info.args.get("mode") or "constant"
    mode = {"replicate": "edge", "circular": "wrap"}.get(stated, stated)
    mode = next(
        (m for p, m in (("reflection", "reflect"), ("replication", "edge")) if p in node.info.op),
        mode,
    )
    value = node.info.args.get("value") or 0
    number = node.array(value, x) if mode == "constant" else None
    return node.onnx("Pad", x, np.array([*before, *after], np.int64), number, mode=mode)[0]


@ATEN.conversion("aten.index_select")
def index_select(node: AtenNode) -> SSAValue:
    """index_select: Gather along a dim."""
    return node.onnx("Gather", node.value("self"), node.value("index"), axis=node.axis())[0]


@ATEN.conversion("aten.embedding")
def embedding(node: AtenNode) -> SSAValue:
    """embedding: rows of the weight."""
    return node.onnx("Gather", node.value("weight"), node.value("indices"), axis=0)[0]


@ATEN.conversion("aten.gather")
def gather(node: AtenNode) -> SSAValue:
    """gather: elements along a dim."""
    return node.onnx("GatherElements", node.value("self"), node.value("index"), axis=node.axis())[0]


@ATEN.conversion("aten.index.Tensor")
def index(node: AtenNode) -> SSAValue:
    """Indexing by one tensor of integers, other dims whole."""
    x, places = node.value("self"), node.argument("indices")
    stated = [axis for axis, each in enumerate(places) if each is not None]
    node.require(len(stated) == 1, "is indexed by several tensors", "index one dim at a time")
    where = node.reference(places[stated[0]])
    node.require(node.dtype(where).is_integer, "is indexed by truth values", "use torch.where")
    return node.onnx("Gather", x, where, axis=stated[0])[0]


@ATEN.conversion("aten.pixel_shuffle")
def pixel_shuffle(node: AtenNode) -> SSAValue:
    """pixel_shuffle."""
    return node.onnx(
        "DepthToSpace", node.value("self"), blocksize=node.argument("upscale_factor"), mode="CRD"
    )[0]


@ATEN.conversion("aten.pixel_unshuffle")
def pixel_unshuffle(node: AtenNode) -> SSAValue:
    """pixel_unshuffle, the inverse of pixel_shuffle."""
    x, block = node.value("self"), node.argument("downscale_factor")
    batch, depth, height, width = node.shape(x)
    split_ = node.reshape(x, (batch, depth, height // block, block, width // block, block))
    return node.reshape(node.transpose(split_, (0, 1, 3, 5, 2, 4)), node.out().shape)


@ATEN.conversion("aten.tril", "aten.triu")
def triangle(node: AtenNode) -> SSAValue:
    """tril and triu."""
    upper = int("triu" in node.info.op)
    return node.onnx("Trilu", node.value("self"), np.array(node.argument("diagonal")), upper=upper)[
        0
    ]
