"""Ops that lay elements out anew: margins, blocks of pixels, triangles, running totals."""

from __future__ import annotations

from typing import Literal

import numpy as np
from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from .steps import margins

ONNX = ImporterSet(keeps_stored=False)

_MODES: dict[str, Literal["reflect", "edge", "wrap"]] = {m: m for m in ("reflect", "edge", "wrap")}
"""Pad modes that repeat elements; numpy has them by the same names."""


@ONNX.importer("Pad", folds=True)
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
    return [margins(ctx, x, pairs, 0.0 if value is None else float(value.reshape(())))]


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


@ONNX.importer("DepthToSpace", folds=True, keeps_stored=True)
def depth_to_space(ctx: NodeContext) -> list[SSAValue]:
    """DepthToSpace as two Transposes of rank 4; `mode` says which part of the depth is the block.

    Behind the dims that stay are block row, block column, rows and columns, and for DCR the rest of
    the depth goes with the rows.
    """
    x, mode, side = ctx.value(0), _mode(ctx), _side(ctx)
    n, depth, rows, columns = ctx.shape(x)
    ctx.require(depth % side**2 == 0, f"the depth {depth} is no multiple of {side}x{side}")
    left = depth // side**2
    lead, lines = (n, left * rows) if mode == "DCR" else (n * left, rows)
    x = ctx.reshape(x, (lead * side, side, lines * columns))
    x = ctx.reshape(ctx.transpose(x, (0, 2, 1)), (lead, side, lines, columns * side))
    return [ctx.reshape(ctx.transpose(x, (0, 2, 1, 3)), ctx.out().shape)]


@ONNX.importer("SpaceToDepth", folds=True, keeps_stored=True)
def space_to_depth(ctx: NodeContext) -> list[SSAValue]:
    """SpaceToDepth: what DepthToSpace does in the same mode, undone."""
    x, mode, side = ctx.value(0), _mode(ctx), _side(ctx)
    n, depth, rows, columns = ctx.shape(x)
    ctx.require(
        rows % side == columns % side == 0,
        f"the image {rows}x{columns} is no multiple of {side}x{side}",
    )
    rows, columns = rows // side, columns // side
    lead, lines = (n, depth * rows) if mode == "DCR" else (n * depth, rows)
    x = ctx.transpose(ctx.reshape(x, (lead, lines, side, columns * side)), (0, 2, 1, 3))
    x = ctx.transpose(ctx.reshape(x, (lead * side, lines * columns, side)), (0, 2, 1))
    return [ctx.reshape(x, ctx.out().shape)]


def _mode(ctx: NodeContext) -> str:
    mode = ctx.text("mode", "DCR")
    ctx.require(mode in ("DCR", "CRD"), f"attribute 'mode' is {mode}", "it may be DCR or CRD")
    return mode


def _side(ctx: NodeContext) -> int:
    rank, side = len(ctx.shape(ctx.value(0))), ctx.integer("blocksize")
    ctx.require(rank == 4, f"the input has rank {rank}", "it must be [N, C, H, W]")
    ctx.require(side > 0, f"attribute 'blocksize' is {side}", "it must be at least 1")
    return side


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
