"""Ops that move elements: joins, cuts, shapes and orders."""

from itertools import accumulate

from .....dialects.dense import Array
from ...graph.value import Value, joined
from ...support.context import NodeContext, NodeFault, counted_axis, require
from ...support.registry import ImporterSet, Ints
from ...support.types import MOST_ELEMENTS

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
    *("Constant", "Shape", "Size", "ConstantOfShape", "Range", "NonZero", "Unique"),
    "MelWeightMatrix",
    folds=True,
)
def must_be_static(ctx: NodeContext, *inputs: Value) -> list[Value]:
    """Refuse what is left of an op that can only be folded."""
    spec = ctx.outputs[0] if ctx.outputs else None
    if spec is not None and spec.elements > MOST_ELEMENTS:
        remedy = f"an import computes {MOST_ELEMENTS} at most"
        raise NodeFault(f"its result is a constant of {spec.elements} elements", remedy)
    remedy = "make them initializers, or fix inputs: htp-opt --const NAME=VALUE"
    raise NodeFault("its inputs must be constant, or static in shape", remedy)
