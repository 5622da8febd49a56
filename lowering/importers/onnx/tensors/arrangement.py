"""Ops that lay elements out anew: margins, blocks of pixels, triangles, running totals."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from .....dialects.dense import Array
from ...graph.value import Value, where
from ...support.context import NodeContext, require
from ...support.registry import ImporterSet, Ints
from ..images.windows import channels_first, channels_last
from .casts import real_number
from .steps import margins

ONNX = ImporterSet(keeps_stored=False)

_MODES: dict[str, Literal["reflect", "edge", "wrap"]] = {m: m for m in ("reflect", "edge", "wrap")}
"""Pad modes that repeat elements; numpy has them by the same names."""

_BLOCKS = ("DCR", "CRD")
"""The order of depth, columns and rows; their places are the numbers of QNN's modes."""


@ONNX.importer("Pad", folds=True, keeps_stored=True)
def pad(
    x: Value, pads: Ints, value: Array | None, stated: Ints | None, *, mode: str = "constant"
) -> Value:
    """Pad with a constant, or with elements that are gathered; negative pads crop."""
    axes = stated or tuple(range(x.rank))
    require(len(pads) == 2 * len(axes), f"input 'pads' has {len(pads)} values")
    require(len({a % x.rank for a in axes}) == len(axes), "input 'axes' names a dim twice")
    pairs = [(0, 0)] * x.rank
    for axis, before, after in zip(axes, pads, pads[len(axes) :], strict=False):
        pairs[axis % x.rank] = (before, after)
    if mode != "constant":
        return _repeated(x, pairs, mode)
    one = value is None or value.size == 1
    require(one, "input 'constant_value' is not one number", "give a scalar")
    return margins(x, pairs, real_number(0.0 if value is None else value.item(), x))


def _repeated(x: Value, pairs: list[tuple[int, int]], mode: str) -> Value:
    """Return x with margins of its own elements, one Gather for each dim that grows."""
    names = ", ".join(("constant", *_MODES))
    require(mode in _MODES, f"attribute 'mode' is {mode}", f"it may be {names}")
    x = margins(x, [(min(before, 0), min(after, 0)) for before, after in pairs])
    for axis, (before, after) in enumerate(pairs):
        size, grown = x.shape[axis], (max(before, 0), max(after, 0))
        if any(grown):
            require(size > 0, f"dim {axis} is empty", "pad it with a constant")
            x = x.gather(np.pad(np.arange(size, dtype=np.int32), grown, mode=_MODES[mode]), axis)
    return x


def _shuffled(op: str) -> None:
    """Declare DepthToSpace or SpaceToDepth, which undo each other, with one square block."""

    @ONNX.importer(op, folds=True, keeps_stored=True)
    def shuffled(x: Value, *, blocksize: int, mode: str = "DCR") -> Value:
        known = " or ".join(_BLOCKS)
        require(mode in _BLOCKS, f"attribute 'mode' is {mode}", f"it may be {known}")
        require(x.rank == 4, f"the input has rank {x.rank}", "it must be [N, C, H, W]")
        problem = f"attribute 'blocksize' is {blocksize}"
        require(blocksize > 0, problem, "it must be at least 1")
        block = (blocksize, blocksize)
        result = channels_last(x).op(op, block_size=block, mode=_BLOCKS.index(mode))
        return channels_first(result, x.rank)


for _op in ("DepthToSpace", "SpaceToDepth"):
    _shuffled(_op)


@ONNX.importer("Trilu", folds=True, keeps_stored=True)
def triangle(x: Value, offset: Ints | None, *, upper: bool = True) -> Value:
    """Trilu: the elements where a constant mask holds, 0 elsewhere."""
    (k,), ones = offset or (0,), np.ones(x.shape[-2:], bool)
    return where(np.triu(ones, k) if upper else np.tril(ones, k), x, 0)


@ONNX.importer("EyeLike")
def eye_like(ctx: NodeContext, x: Value, *, k: int = 0, dtype: int = 0) -> Value:
    """EyeLike: a constant of the input's shape."""
    rows, columns = x.shape
    return x.const(np.eye(rows, columns, k).astype(ctx.out().dtype.storage))


def _running(op: str, join: Callable[[Value, Value], Value], neutral: float) -> None:
    """Declare a scan along a constant axis by steps that double: log2(n) joins of the whole data.

    Step k joins each element with the one 2**k before it, beyond the edge with the neutral one.
    """

    @ONNX.importer(op, folds=True)
    def running(x: Value, axes: Ints, *, exclusive: bool = False, reverse: bool = False) -> Value:
        (axis,) = axes
        require(-x.rank <= axis < x.rank, f"input 'axis' is {axis}, the rank is {x.rank}")
        axis, step, way = axis % x.rank, 1, -1 if reverse else 1
        x = _shifted(x, axis, way, neutral) if exclusive else x
        while step < x.shape[axis]:
            x, step = join(x, _shifted(x, axis, step * way, neutral)), 2 * step
        return x


def _shifted(x: Value, axis: int, by: int, fill: float) -> Value:
    """Return x moved along a dim, the places that become free filled with one number."""
    pairs = [(0, 0)] * x.rank
    pairs[axis] = (by, -by)
    return margins(x, pairs, fill)


_running("CumSum", Value.__add__, 0.0)
_running("CumProd", Value.__mul__, 1.0)
