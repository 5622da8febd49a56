"""Ops that move elements: joins, cuts, shapes, orders, margins, blocks of pixels, triangles."""

from collections.abc import Callable
from itertools import accumulate
from math import prod
from typing import Literal

import numpy as np

from .....dialects.spec_of import Array
from .....dialects.value.limits import MAX_FOLDED
from ...graph.value import Value, joined, where
from ...support.registry import (
    ImporterSet,
    Ints,
    NodeContext,
    NodeFault,
    array_of,
    counted_axis,
    require,
)
from ...support.types import require_few
from ..images.windows import channels_first, channels_last
from .casts import real_number
from .steps import margins

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Identity", folds=True, keeps_stored=True)
def forwarded(x: Value) -> Value:
    """Identity: the input itself."""
    return x


@ONNX.importer("Concat", folds=True, keeps_stored=True)
def concat(*inputs: Value, axis: int) -> Value:
    return joined(inputs, axis)


@ONNX.importer("Split", folds=True, keeps_stored=True)
def split(
    ctx: NodeContext, x: Value, stated: Ints | None, *, axis: int = 0, num_outputs: int = 0
) -> list[Value]:
    """Split: where the cuts are follows from the outputs' shapes."""
    axis = counted_axis(axis, x.rank)
    sizes = stated or [ctx.out(index).shape[axis] for index in range(len(ctx.node.output))]
    cuts = list(accumulate([size for size in sizes if size][:-1]))
    parts = iter(x.ops("Split", axis=axis, split_index=cuts) if cuts else [x])
    return [next(parts) if size else x.cut(axis, 0, 0) for size in sizes]


@ONNX.importer("Slice", folds=True, keeps_stored=True)
def strided_slice(
    x: Value, starts: Ints, ends: Ints, stated_axes: Ints | None, stated_steps: Ints | None
) -> Value:
    """Slice with constant bounds."""
    axes = stated_axes or tuple(range(len(starts)))
    steps = stated_steps or (1,) * len(starts)
    counts = {len(values) for values in (starts, ends, axes, steps)}
    require(len(counts) == 1, "its bounds, axes and steps differ in number")
    ranges = [(0, size, 1) for size in x.shape]
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        require(step != 0, "input 'steps' holds 0")
        require(-x.rank <= axis < x.rank, f"input 'axes' holds {axis}")
        ranges[axis] = _resolved(start, end, step, x.shape[axis])
    return x.op("StridedSlice", ranges=[number for taken in ranges for number in taken])


def _resolved(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    """Return bounds inside the dim; with a negative step, the end -1 is before element 0.

    The end is drawn in to just behind the last element taken, so that equal slices are equal ops.
    """
    taken = range(size)[start:end:step]
    if not taken:
        return 0, 0, 1
    return taken[0], taken[-1] + (1 if step > 0 else -1), step


@ONNX.importer("Reshape", folds=True, keeps_stored=True)
def reshape(ctx: NodeContext, x: Value, shape: Array | None, *, allowzero: int = 0) -> Value:
    """Reshape: the shape that ONNX infers for the output."""
    return x.reshape(*ctx.out().shape)


@ONNX.importer("Squeeze", "Unsqueeze", folds=True, keeps_stored=True)
def squeeze(ctx: NodeContext, x: Value, axes: Array | None) -> Value:
    """Squeeze and Unsqueeze: the shape that ONNX infers for the output."""
    return x.reshape(*ctx.out().shape)


@ONNX.importer("Flatten", folds=True, keeps_stored=True)
def flatten(ctx: NodeContext, x: Value, *, axis: int = 1) -> Value:
    """Flatten: the shape that ONNX infers for the output."""
    return x.reshape(*ctx.out().shape)


@ONNX.importer("Transpose", folds=True, keeps_stored=True)
def transpose(x: Value, *, perm: Ints | None = None) -> Value:
    """Transpose; without `perm` the dims are reversed."""
    return x.transpose(*perm or reversed(range(x.rank)))


@ONNX.importer("Gather", folds=True, keeps_stored=True)
def gather(x: Value, indices: Value, *, axis: int = 0) -> Value:
    return x.gather(indices, axis)


@ONNX.importer("Tile", folds=True, keeps_stored=True)
def tile(x: Value, repeats: Ints) -> Value:
    """Tile with constant repeats."""
    problem = f"input 'repeats' is {list(repeats)}"
    require(min(repeats, default=1) >= 1, problem, "every number must be >= 1")
    return x.op("Tile", multiples=repeats)


@ONNX.importer("Expand", folds=True, keeps_stored=True)
def expand(ctx: NodeContext, x: Value, shape: Array) -> Value:
    """Expand to a constant shape: leading dims of 1, then Tile."""
    target = ctx.out().shape
    x = x.reshape(*(1,) * (len(target) - x.rank), *x.shape)
    times = [wanted if size == 1 else 1 for size, wanted in zip(x.shape, target, strict=True)]
    return x if set(times) <= {1} else x.op("Tile", multiples=times)


@ONNX.importer(
    *("Constant", "Shape", "Size", "Range", "NonZero", "Unique", "MelWeightMatrix"),
    folds=True,
)
def must_be_static(ctx: NodeContext, *inputs: Value) -> list[Value]:
    """Refuse what is left of an op that can only be folded."""
    spec = ctx.outputs[0] if ctx.outputs else None
    if spec is not None and spec.nbytes > MAX_FOLDED:
        remedy = f"an import computes {MAX_FOLDED} bytes at most"
        raise NodeFault(f"its result is a constant of {spec.nbytes} bytes", remedy)
    remedy = "make them initializers, or fix inputs: htp-opt --const NAME=VALUE"
    raise NodeFault("its inputs must be constant, or static in shape", remedy)


@ONNX.importer("ConstantOfShape", folds=True)
def filled(ctx: NodeContext, shape: Ints) -> Value:
    """ConstantOfShape that is larger than what the import computes: one number, by Tile."""
    stated = ctx.attribute("value")
    number = np.zeros(1, np.float32) if stated is None else array_of(stated)
    require(number.size == 1, f"attribute 'value' has {number.size} elements", "give it one")
    return ctx.const(number.reshape((1,) * len(shape))).op("Tile", multiples=shape)


_MODES: dict[str, Literal["reflect", "edge", "wrap"]] = {m: m for m in ("reflect", "edge", "wrap")}
"""Pad modes that repeat elements; numpy has them by the same names."""
_MOST_RUNS = 16
"""Runs of neighbours, at most, that are joined to take elements of a dim."""

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
    """Return x with margins of its own elements, dim by dim."""
    names = ", ".join(("constant", *_MODES))
    require(mode in _MODES, f"attribute 'mode' is {mode}", f"it may be {names}")
    x = margins(x, [(min(before, 0), min(after, 0)) for before, after in pairs])
    for axis, (before, after) in enumerate(pairs):
        size, grown = x.shape[axis], (max(before, 0), max(after, 0))
        if any(grown):
            require(size > 0, f"dim {axis} is empty", "pad it with a constant")
            require_few(size + sum(grown), f"takes {size + sum(grown)} elements of dim {axis}")
            x = _taken(x, np.pad(np.arange(size, dtype=np.int32), grown, mode=_MODES[mode]), axis)
    return x


def _taken(x: Value, places: Array, axis: int) -> Value:
    """Take elements of a dim: few runs are cut and joined, as an image in parts can be."""
    runs = np.split(places, np.flatnonzero(np.diff(places) != 1) + 1)
    if len(runs) > _MOST_RUNS:
        return x.gather(places, axis)
    parts = [x.cut(axis, int(run[0]), int(run[-1]) + 1) for run in runs]
    return joined(parts, axis) if len(parts) > 1 else parts[0]


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
    rows, columns = x.shape[-2:]
    require_few(rows * columns, f"has matrices of {rows}x{columns} elements")
    (k,), ones = offset or (0,), np.ones((rows, columns), bool)
    return where(np.triu(ones, k) if upper else np.tril(ones, k), x, 0)


@ONNX.importer("EyeLike")
def eye_like(ctx: NodeContext, x: Value, *, k: int = 0, dtype: int = 0) -> Value:
    """EyeLike: a constant of the input's shape."""
    rows, columns = x.shape
    require_few(rows * columns, f"gives {rows}x{columns} elements")
    return x.const(np.eye(rows, columns, k).astype(ctx.out().dtype.storage))


_Join = Callable[[Value, Value], Value]
_BLOCK = 4096
"""Elements of a dim that are scanned in steps over all of it."""


def _running(op: str, join: _Join, neutral: float) -> None:
    """Declare a scan along a constant axis."""

    @ONNX.importer(op, folds=True)
    def running(x: Value, axes: Ints, *, exclusive: bool = False, reverse: bool = False) -> Value:
        (axis,) = axes
        require(-x.rank <= axis < x.rank, f"input 'axis' is {axis}, the rank is {x.rank}")
        axis, way = axis % x.rank, -1 if reverse else 1
        x = _shifted(x, axis, way, neutral) if exclusive else x
        return _scan(x, axis, way, join, neutral)


def _scan(x: Value, axis: int, way: int, join: _Join, neutral: float) -> Value:
    """Scan by steps that double: step k joins each element with the one 2**k before it.

    Beyond the edge is the neutral one. A long dim falls into blocks, as these can be tiled apart.
    """
    size, step = x.shape[axis], 1
    if size > _BLOCK:
        return _scan_blocks(x, axis, way, join, neutral)
    while step < size:
        x, step = join(x, _shifted(x, axis, step * way, neutral)), 2 * step
    return x


def _scan_blocks(x: Value, axis: int, way: int, join: _Join, neutral: float) -> Value:
    """Scan each block of a dim, and join it with the scan of the ends of those before it."""
    before, size, behind = prod(x.shape[:axis]), x.shape[axis], prod(x.shape[axis + 1 :])
    count = -(-size // _BLOCK)
    length = -(-size // count)
    pairs = [(0, 0), (0, count * length - size), (0, 0)]
    whole = margins(x.reshape(before, size, behind), pairs, neutral)
    blocks = _scan(whole.reshape(before, count, length, behind), 2, way, join, neutral)
    ends = blocks.cut(2, *((-1, None) if way > 0 else (0, 1)))
    blocks = join(blocks, _scan(_shifted(ends, 1, way, neutral), 1, way, join, neutral))
    return blocks.reshape(before, count * length, behind).cut(1, 0, size).reshape(*x.shape)


def _shifted(x: Value, axis: int, by: int, fill: float) -> Value:
    """Return x moved along a dim, the places that become free filled with one number."""
    pairs = [(0, 0)] * x.rank
    pairs[axis] = (by, -by)
    return margins(x, pairs, fill)


_running("CumSum", Value.__add__, 0.0)
_running("CumProd", Value.__mul__, 1.0)
