"""Ops that move elements: joins, cuts, shapes and orders."""

from __future__ import annotations

from itertools import accumulate

from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.faults import NodeFault
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Identity", folds=True, keeps_stored=True)
def forwarded(ctx: NodeContext) -> list[SSAValue]:
    """Identity: the input itself."""
    return [ctx.value(0)]


@ONNX.importer("Concat", folds=True, keeps_stored=True)
def concat(ctx: NodeContext) -> list[SSAValue]:
    """Concat."""
    return [ctx.emit("Concat", ctx.values(), axis=ctx.integer("axis"))]


@ONNX.importer("Split", folds=True, keeps_stored=True)
def split(ctx: NodeContext) -> list[SSAValue]:
    """Split: where the cuts are follows from the outputs' shapes."""
    x = ctx.value(0)
    axis = ctx.axis(len(ctx.shape(x)), 0)
    ctx.integer("num_outputs")
    stated = ctx.integers_at(1)
    sizes = stated or [ctx.out(index).shape[axis] for index in range(len(ctx.node.output))]
    cuts = list(accumulate([size for size in sizes if size][:-1]))
    parts = iter(ctx.emit_all("Split", x, axis=axis, split_index=cuts) if cuts else [x])
    return [next(parts) if size else _nothing_of(ctx, x, axis) for size in sizes]


def _nothing_of(ctx: NodeContext, x: SSAValue, axis: int) -> SSAValue:
    """Return a part without elements along an axis."""
    ends = (0 if dim == axis else size for dim, size in enumerate(ctx.shape(x)))
    return ctx.emit("StridedSlice", x, ranges=[v for end in ends for v in (0, end, 1)])


@ONNX.importer("Slice", folds=True, keeps_stored=True)
def strided_slice(ctx: NodeContext) -> list[SSAValue]:
    """Slice with constant bounds."""
    x = ctx.value(0)
    shape = ctx.shape(x)
    starts, ends = ctx.integers_at(1) or (), ctx.integers_at(2) or ()
    axes = ctx.integers_at(3) or tuple(range(len(starts)))
    steps = ctx.integers_at(4) or (1,) * len(starts)
    counts = {len(values) for values in (starts, ends, axes, steps)}
    ctx.require(len(counts) == 1, "its bounds, axes and steps differ in number")
    ranges = [(0, size, 1) for size in shape]
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        ctx.require(step != 0, "input 'steps' holds 0")
        ctx.require(-len(shape) <= axis < len(shape), f"input 'axes' holds {axis}")
        ranges[axis] = _resolved(start, end, step, shape[axis])
    return [ctx.emit("StridedSlice", x, ranges=[v for taken in ranges for v in taken])]


def _resolved(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    """Bounds inside the dim; with a negative step, the end -1 stands for before element 0.

    The end is drawn in to just behind the last element taken, so that equal slices are equal ops.
    """
    taken = range(size)[start:end:step]
    if not taken:
        return 0, 0, 1
    return taken[0], taken[-1] + (1 if step > 0 else -1), step


@ONNX.importer("Reshape", "Flatten", "Squeeze", "Unsqueeze", folds=True, keeps_stored=True)
def reshape(ctx: NodeContext) -> list[SSAValue]:
    """Reshape, Flatten, Squeeze and Unsqueeze: the shape that ONNX infers for the output."""
    for name in ("allowzero", "axis"):
        ctx.integer(name)
    x = ctx.value(0)
    if ctx.has(1):
        ctx.constant(1)
    return [ctx.reshape(x, ctx.out().shape)]


@ONNX.importer("Transpose", folds=True, keeps_stored=True)
def transpose(ctx: NodeContext) -> list[SSAValue]:
    """Transpose; without `perm` the dims are reversed."""
    x = ctx.value(0)
    rank = len(ctx.shape(x))
    return [ctx.transpose(x, ctx.integers("perm") or tuple(reversed(range(rank))))]


@ONNX.importer("Gather", folds=True, keeps_stored=True)
def gather(ctx: NodeContext) -> list[SSAValue]:
    """Gather."""
    return [ctx.emit("Gather", ctx.value(0), ctx.value(1), axis=ctx.integer("axis", 0))]


@ONNX.importer("Tile", folds=True, keeps_stored=True)
def tile(ctx: NodeContext) -> list[SSAValue]:
    """Tile with constant repeats."""
    repeats = ctx.integers_at(1) or ()
    if min(repeats, default=1) < 1:
        raise NodeFault(f"input 'repeats' is {list(repeats)}", "every number must be >= 1")
    return [ctx.emit("Tile", ctx.value(0), multiples=repeats)]


@ONNX.importer("Expand", folds=True, keeps_stored=True)
def expand(ctx: NodeContext) -> list[SSAValue]:
    """Expand to a constant shape: leading dims of 1, then Tile."""
    ctx.constant(1)
    x, target = ctx.value(0), ctx.out().shape
    shape = ctx.shape(x)
    x = ctx.reshape(x, (1,) * (len(target) - len(shape)) + shape)
    multiples = [
        wanted if size == 1 else 1 for size, wanted in zip(ctx.shape(x), target, strict=True)
    ]
    return [x if set(multiples) <= {1} else ctx.emit("Tile", x, multiples=multiples)]


@ONNX.importer(
    *("Constant", "Shape", "Size", "ConstantOfShape", "Range", "NonZero", "Unique"),
    "MelWeightMatrix",
    folds=True,
)
def must_be_static(ctx: NodeContext) -> list[SSAValue]:
    """Refuse what is left of an op that can only be folded."""
    for index in range(len(ctx.node.input)):
        ctx.optional(index)
    spec = ctx.outputs[0] if ctx.outputs else None
    if spec is not None and spec.elements > MOST_ELEMENTS:
        remedy = f"an import computes {MOST_ELEMENTS} at most"
        raise NodeFault(f"its result is a constant of {spec.elements} elements", remedy)
    remedy = "make them initializers, or fix inputs: htp-opt --const NAME=VALUE"
    raise NodeFault("its inputs must be constant, or static in shape", remedy)
