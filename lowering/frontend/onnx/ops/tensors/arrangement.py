"""Ops that lay elements out anew: margins, blocks of pixels, triangles, running totals."""

from __future__ import annotations

from typing import Literal

import numpy as np
from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import Importer, ImporterSet
from ..images.windows import channels_first, channels_last
from .casts import real_number
from .steps import margins

ONNX = ImporterSet(keeps_stored=False)

_MODES: dict[str, Literal["reflect", "edge", "wrap"]] = {m: m for m in ("reflect", "edge", "wrap")}
"""Pad modes that repeat elements; numpy has them by the same names."""

_BLOCKS = ("DCR", "CRD")
"""The order of depth, columns and rows; their places are the numbers of QNN's modes."""


@ONNX.importer("Pad", folds=True, keeps_stored=True)
def pad(ctx: NodeContext) -> list[SSAValue]:
    """Pad with a constant, or with elements that are gathered; negative pads crop."""
    x, mode = ctx.value(0), ctx.text("mode", "constant")
    rank = len(ctx.shape(x))
    pads = ctx.integers_at(1) or ()
    axes = ctx.integers_at(3) or tuple(range(rank))
    ctx.require(len(pads) == 2 * len(axes), f"input 'pads' has {len(pads)} values")
    ctx.require(len({a % rank for a in axes}) == len(axes), "input 'axes' names a dim twice")
    pairs = [(0, 0)] * rank
    for axis, before, after in zip(axes, pads, pads[len(axes) :], strict=False):
        pairs[axis % rank] = (before, after)
    value = ctx.optional_constant(2)
    if mode != "constant":
        return [_repeated(ctx, x, pairs, mode)]
    one = value is None or value.size == 1
    ctx.require(one, "input 'constant_value' is not one number", "give a scalar")
    number = real_number(ctx, 0.0 if value is None else value.item(), x)
    return [margins(ctx, x, pairs, number)]


def _repeated(ctx: NodeContext, x: SSAValue, pairs: list[tuple[int, int]], mode: str) -> SSAValue:
    """Return x with margins of its own elements, one Gather for each dim that grows."""
    names = ", ".join(("constant", *_MODES))
    ctx.require(mode in _MODES, f"attribute 'mode' is {mode}", f"it may be {names}")
    x = margins(ctx, x, [(min(before, 0), min(after, 0)) for before, after in pairs])
    for axis, (before, after) in enumerate(pairs):
        size, grown = ctx.shape(x)[axis], (max(before, 0), max(after, 0))
        if any(grown):
            ctx.require(size > 0, f"dim {axis} is empty", "pad it with a constant")
            places = np.pad(np.arange(size, dtype=np.int32), grown, mode=_MODES[mode])
            x = ctx.emit("Gather", x, ctx.const(places), axis=axis)
    return x


@ONNX.importer("DepthToSpace", "SpaceToDepth", folds=True, keeps_stored=True)
def shuffled(ctx: NodeContext) -> list[SSAValue]:
    """DepthToSpace, and SpaceToDepth, which undoes it; ONNX gives both one square block."""
    x, mode, side = ctx.value(0), ctx.text("mode", "DCR"), ctx.integer("blocksize")
    rank = len(ctx.shape(x))
    ctx.require(mode in _BLOCKS, f"attribute 'mode' is {mode}", f"it may be {' or '.join(_BLOCKS)}")
    ctx.require(rank == 4, f"the input has rank {rank}", "it must be [N, C, H, W]")
    ctx.require(side > 0, f"attribute 'blocksize' is {side}", "it must be at least 1")
    image, block = channels_last(ctx, x), (side, side)
    result = ctx.emit(ctx.node.op_type, image, block_size=block, mode=_BLOCKS.index(mode))
    return [channels_first(ctx, result, rank)]


@ONNX.importer("Trilu", folds=True, keeps_stored=True)
def triangle(ctx: NodeContext) -> list[SSAValue]:
    """Trilu: the elements where a constant mask holds, 0 elsewhere."""
    x, upper = ctx.value(0), bool(ctx.integer("upper", 1))
    (offset,) = ctx.integers_at(1) or (0,)
    ones = np.ones(ctx.shape(x)[-2:], bool)
    mask = np.triu(ones, offset) if upper else np.tril(ones, offset)
    return [ctx.emit("ElementWiseSelect", ctx.const(mask), x, ctx.scalar(0, x))]


@ONNX.importer("EyeLike")
def eye_like(ctx: NodeContext) -> list[SSAValue]:
    """EyeLike: a constant of the input's shape."""
    rows, columns = ctx.shape(ctx.value(0))
    ctx.integer("dtype")
    ones = np.eye(rows, columns, ctx.integer("k"))
    return [ctx.const(ones.astype(ctx.out().dtype.storage))]


def running(join: str, neutral: float) -> Importer:
    """Return a scan along a constant axis by steps that double: log2(n) joins of the whole data.

    Step k joins each element with the one 2**k before it, beyond the edge with the neutral one.
    """

    def apply(ctx: NodeContext) -> list[SSAValue]:
        x = ctx.value(0)
        rank = len(ctx.shape(x))
        (axis,) = ctx.integers_at(1) or (0,)
        ctx.require(-rank <= axis < rank, f"input 'axis' is {axis}, the rank is {rank}")
        axis, back, step = axis % rank, bool(ctx.integer("reverse")), 1
        if ctx.integer("exclusive"):
            x = _shifted(ctx, x, axis, -1 if back else 1, neutral)
        while step < ctx.shape(x)[axis]:
            other = _shifted(ctx, x, axis, -step if back else step, neutral)
            x, step = ctx.emit(join, x, other), 2 * step
        return [x]

    return apply


def _shifted(ctx: NodeContext, x: SSAValue, axis: int, by: int, fill: float) -> SSAValue:
    """Return x moved along a dim, the places that become free filled with one number."""
    pairs = [(0, 0)] * len(ctx.shape(x))
    pairs[axis] = (by, -by)
    return margins(ctx, x, pairs, fill)


ONNX.importer("CumSum", folds=True)(running("ElementWiseAdd", 0.0))
ONNX.importer("CumProd", folds=True)(running("ElementWiseMultiply", 1.0))
