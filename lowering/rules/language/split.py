"""Splits: one replacement per slice of the root's output, joined; and slices of its inputs."""

from collections.abc import Iterator
from typing import Annotated

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from ....dialects.attributes import AUTOTHREAD, DRAINED, GATHERED, MADE_ANEW
from ....dialects.spec_of import spec_of
from ....dialects.value import Shape
from ...planner.tiling.tilings import Windows
from ..graph.env import Split
from ..graph.graph import INTEGERS, EvaluationError, ExprKind, Node
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import Expr
from ..tree.function import Body, Function, Model, Parameter, SplitTag, builds, function
from .constants import gen_ConstScalar_i32
from .queries import at, dim_of
from .tile_plan import carried, windows_attr, windows_on

MAX_SLICES = 1 << 16


def slices(dim: int, extent: int, chunk: int) -> Iterator[Split]:
    """Yield the slices of `chunk` along an extent; the last may be smaller."""
    if chunk < 1 or extent > chunk * MAX_SLICES:
        raise EvaluationError(f"{extent} cut by {chunk} is not 1 to {MAX_SLICES} slices")
    for index, start in enumerate(range(0, extent, chunk)):
        yield Split(dim, start, min(chunk, extent - start), index)


def take_slice(
    builder: Builder, value: SSAValue, start: Shape, size: Shape, ref: Reference
) -> SSAValue:
    """Make a Slice_shape of a value, with the value's own encoding, or the part along an axis."""
    sliced = ref.with_spec(spec_of(value).sliced(start, size))
    return builder.native(
        "Slice_shape", [value, builder.shape(start), builder.shape(size)], Reference(sliced.spec)
    )


def _joined(
    builder: Builder, ref: Reference, dim: int, tag: str, chunk: int, body: Expr
) -> SSAValue:
    """Build the body for each slice of `chunk` along a dim, joined by a Concat."""
    parts: list[SSAValue] = []
    if not 0 <= dim < ref.spec.rank:
        raise EvaluationError(f"a split on dim {dim} of an output of rank {ref.spec.rank}")
    for cut in slices(dim, ref.spec.shape[dim], chunk):
        with builder.env.inside(tag, cut):
            parts.append(body.build(builder, ref.resized(dim, cut.size)))
    if len(parts) == 1:
        return parts[0]
    axis = gen_ConstScalar_i32(dim).build(builder, ref)
    joined = Reference(ref.spec)
    for name in (DRAINED, GATHERED):
        if (mark := builder.root.attributes.get(name)) is not None:
            joined = joined.with_attribute(name, mark)
    return builder.native("Concat", [axis, *parts], joined)


def _made_anew(
    builder: Builder, ref: Reference, tag: str, windows: Windows, body: Expr
) -> SSAValue:
    """Build the body for each window; a Concat of what each has alone is the result."""
    parts: list[SSAValue] = []
    dim, both = windows.dim, zip(windows.spans, windows.parts, strict=True)
    for index, ((low, high), (first, last)) in enumerate(both):
        with builder.env.inside(tag, Split(dim, low, high - low, index)):
            block = body.build(builder, ref.resized(dim, high - low))
        begin = tuple((first - low) * (axis == dim) for axis in range(ref.spec.rank))
        size = ref.resized(dim, last - first).spec.shape
        parts.append(take_slice(builder, block, begin, size, Reference(ref.spec)))
    axis = gen_ConstScalar_i32(dim).build(builder, ref)
    joined = Reference(ref.spec).with_attribute(MADE_ANEW, windows_attr(windows))
    return builder.native("Concat", [axis, *parts], joined)


@builds
def AUTOSPLIT(
    builder: Builder, ref: Reference, dim: int, tag: SplitTag, chunk: int, body: Body
) -> SSAValue:
    """The replacement for each slice of `chunk` along a dim, joined by a Concat; the rule needs a
    guard.

    Example: `AUTOSPLIT(1, "I", 8, Op("Relu", TYPICAL_SLICE("X", "I")))`
    """
    for name, value in carried(builder.root, dim, chunk):
        ref = ref.with_attribute(name, value)
    if (windows := windows_on(builder.root)) and windows.dim == dim:
        return _made_anew(builder, ref, tag, windows, body)
    return _joined(builder, ref, dim, tag, chunk, body)


def _autothread(unit: str) -> Function:
    option, name = f"autothread_{unit}_ntiles", f"AUTOTHREAD_{unit.upper()}"

    def build(builder: Builder, ref: Reference, dim: int, tag: SplitTag, body: Body) -> SSAValue:
        mark, tiles = StringAttr(unit), int(builder.env.options.value(option))
        if builder.root.attributes.get(AUTOTHREAD) == mark or not 0 <= dim < ref.spec.rank:
            raise NoChange
        extent = ref.spec.shape[dim]
        if min(tiles, extent) < 2:
            raise NoChange
        marked = ref.with_attribute(AUTOTHREAD, mark)
        return _joined(builder, marked, dim, tag, -(-extent // tiles), body)

    doc = (
        f"As AUTOSPLIT, once, into at most the number of slices in the option {option}. "
        f'Example: `{name}(1, "I", Op("Relu", TYPICAL_SLICE("X", "I")))`'
    )
    return builds(build, name, doc)


AUTOTHREAD_HVX, AUTOTHREAD_HMX = _autothread("hvx"), _autothread("hmx")


def _axis_slice(
    builder: Builder, ref: Reference, node: Expr, dim: int, start: int, size: int
) -> SSAValue:
    """Slice a node along a dim."""
    value = node.build(builder, ref)
    dims = spec_of(value).shape
    if not 0 <= dim < len(dims):
        raise EvaluationError(f"a slice on dim {dim} of a node of rank {len(dims)}")
    begin = tuple(start if axis == dim else 0 for axis in range(len(dims)))
    return take_slice(builder, value, begin, (*dims[:dim], size, *dims[dim + 1 :]), ref)


@builds
def TYPICAL_SLICE(builder: Builder, ref: Reference, node: Body, cut: Split) -> SSAValue:
    """The slice's part of a node: same dim, start and size. Example: `TYPICAL_SLICE("X", "I")`"""
    return _axis_slice(builder, ref, node, cut.dim, cut.start, cut.size)


@builds
def CHANGEDIM_SLICE(builder: Builder, ref: Reference, node: Body, cut: Split, dim: int) -> SSAValue:
    """The slice's part of a node, on another dim. Example: `CHANGEDIM_SLICE("W", "I", 2)`"""
    return _axis_slice(builder, ref, node, dim, cut.start, cut.size)


@builds
def AUTOSPLIT_SLICE(
    builder: Builder, ref: Reference, node: Body, start: Shape, size: Shape
) -> SSAValue:
    """The part of a node with this start and size.

    Example:
    `AUTOSPLIT_SLICE("X", gen_Shape(0, SPLIT_START("I"), 0, 0), gen_Shape(1, SPLIT_SIZE("I"), 8,
    32))`
    """
    return take_slice(builder, node.build(builder, ref), start, size, ref)


def window(count: int, stride: int, taps: int, dilation: int = 1) -> int:
    """Return the number of input rows that `count` rows of a valid convolution or pool read."""
    return stride * (count - 1) + (taps - 1) * dilation + 1


Step = Annotated[Node | int, Parameter("stride", INTEGERS | {ExprKind.NODE})]


@builds
def TYPICAL_CONV_SLICE(
    builder: Builder,
    ref: Reference,
    node: Body,
    cut: Split,
    stride: Step,
    taps: int,
    dilation: int = 1,
) -> SSAValue:
    """The input rows of a slice of a valid convolution or pool, by stride, taps and dilation.

    The stride is a number, or a node whose dims are the strides.

    Example: `TYPICAL_CONV_SLICE("X", "I", "S", DIM_FILTHEIGHT("W"))`
    """
    step = dim_of(stride, cut.dim) if isinstance(stride, Node) else stride
    size = window(cut.size, step, taps, dilation)
    return _axis_slice(builder, ref, node, cut.dim, cut.start * step, size)


@function
def SPLIT_START(cut: Split) -> int:
    """The start of the slice. Example: `MUL(SPLIT_START("I"), 2)`"""
    return cut.start


@function
def SPLIT_SIZE(cut: Split) -> int:
    """The size of the slice. Example: `gen_Shape(1, SPLIT_SIZE("I"), 1, 1)`"""
    return cut.size


@function
def SPLIT_DIM(cut: Split) -> int:
    """The dim that is split. Example: `SPLIT_DIM("I")`"""
    return cut.dim


@function
def ITER_VAR(cut: Split) -> int:
    """The number of the slice or of the iteration. Example: `ADD(ITER_VAR("I"), 1)`"""
    return cut.index


@builds
def OP_ITER(
    builder: Builder,
    ref: Reference,
    op: Model,
    tag: SplitTag,
    first: int,
    end: int,
    body: Body,
) -> SSAValue:
    """An op with further inputs: the replacement for each number from `first` to before `end`.

    Example: `OP_ITER(Op("Concat", gen_ConstScalar_i32(1)), "I", 0, 2, Op("Relu", "X"))`
    """
    if end - first > MAX_SLICES:
        raise EvaluationError(f"OP_ITER over {end - first} inputs; {MAX_SLICES} are allowed")
    parts: list[SSAValue] = []
    for index in range(first, end):
        with builder.env.inside(tag, Split(0, index, 1, index)):
            parts.append(body.build(builder, Reference(ref.spec)))
    model = op.build(builder, ref)
    return builder.like(model, lambda old: [*old.operands, *parts]).results[0]


@function
def ITER_INPUT_OF(node: Node, cut: Split) -> Node:
    """The input of a node's op at the iteration's number. Example: `ITER_INPUT_OF("C", "I")`"""
    return at(node.inputs, cut.index)
