"""Splits: one replacement per slice of the root's output, joined; and slices of its inputs."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from ....dialects.value.spec import Shape, spec_of
from ..graph.env import Env, Split
from ..graph.graph import Node
from ..graph.types import EvaluationError, Kind, Value
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import Call, Expr
from ..tree.function import BUILDS, EXTENT, INTEGER, MODEL_OP, NODE, VAR, Evaluate, Function, builds
from .constants import gen_ConstScalar_i32
from .queries import at
from .tile_plan import carried

MAX_SLICES = 1 << 16
AUTOTHREAD = "htp.autothread"


def slices(dim: int, extent: int, chunk: int) -> Iterator[Split]:
    """Cut `extent` into slices of `chunk`; the last may be smaller."""
    if chunk < 1 or extent > chunk * MAX_SLICES:
        raise EvaluationError(f"{extent} cut by {chunk} is not 1 to {MAX_SLICES} slices")
    for index, start in enumerate(range(0, extent, chunk)):
        yield Split(dim, start, min(chunk, extent - start), index)


def split_of(env: Env, expr: Expr) -> Split:
    """The slice that is being built for a split tag."""
    return env.splits[str(expr.evaluate(env))]


def take_slice(
    builder: Builder, value: SSAValue, start: Shape, size: Shape, ref: Reference
) -> SSAValue:
    """A Slice_shape of a value, with the value's own encoding."""
    sliced = ref.with_spec(spec_of(value).with_shape(size))
    return builder.native(
        "Slice_shape", [value, builder.shape(start), builder.shape(size)], Reference(sliced.spec)
    )


def _parts(builder: Builder, ref: Reference, call: Call, dim: int, chunk: int) -> SSAValue:
    variable, body = str(call.args[1].evaluate(builder.env)), call.args[-1]
    parts: list[SSAValue] = []
    if not 0 <= dim < ref.spec.rank:
        raise EvaluationError(f"a split on dim {dim} of an output of rank {ref.spec.rank}")
    for cut in slices(dim, ref.spec.shape[dim], chunk):
        with builder.env.inside(variable, cut):
            parts.append(builder.value(body, ref.resized(dim, cut.size)))
    if len(parts) == 1:
        return parts[0]
    axis = builder.value(gen_ConstScalar_i32(dim), ref)
    return builder.native("Concat", [axis, *parts], Reference(ref.spec))


def _autosplit(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    dim, chunk = builder.integer(call.args[0]), builder.integer(call.args[2])
    for name, value in carried(builder.root, dim, chunk):
        ref = ref.with_attribute(name, value)
    return _parts(builder, ref, call, dim, chunk)


def _autothread(unit: str) -> Function:
    option, name = f"autothread_{unit}_ntiles", f"AUTOTHREAD_{unit.upper()}"

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        mark, dim = StringAttr(unit), builder.integer(call.args[0])
        tiles = int(builder.env.options.value(option))
        if builder.root.attributes.get(AUTOTHREAD) == mark or not 0 <= dim < ref.spec.rank:
            raise NoChange
        extent = ref.spec.shape[dim]
        if min(tiles, extent) < 2:
            raise NoChange
        return _parts(builder, ref.with_attribute(AUTOTHREAD, mark), call, dim, -(-extent // tiles))

    doc = (
        f"As AUTOSPLIT, once, into at most as many slices as the option {option} says. "
        f'Example: `{name}(1, "I", Op("Relu", TYPICAL_SLICE("X", "I")))`'
    )
    return builds(name, (INTEGER, VAR, BUILDS), build, binds=True, doc=doc)


def _axis_slice(
    builder: Builder, ref: Reference, call: Call, dim: int, start: int, size: int
) -> SSAValue:
    value = builder.value(call.args[0], ref)
    dims = spec_of(value).shape
    if not 0 <= dim < len(dims):
        raise EvaluationError(f"a slice on dim {dim} of a node of rank {len(dims)}")
    begin = tuple(start if axis == dim else 0 for axis in range(len(dims)))
    extent = (*dims[:dim], size, *dims[dim + 1 :])
    return take_slice(builder, value, begin, extent, ref)


def _typical(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    cut = split_of(builder.env, call.args[1])
    return _axis_slice(builder, ref, call, cut.dim, cut.start, cut.size)


def _change_dim(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    cut, dim = split_of(builder.env, call.args[1]), builder.integer(call.args[2])
    return _axis_slice(builder, ref, call, dim, cut.start, cut.size)


def _conv(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    cut = split_of(builder.env, call.args[1])
    stride, taps, *rest = (builder.integer(arg) for arg in call.args[2:])
    dilation = rest[0] if rest else 1
    size = window(cut.size, stride, taps, dilation)
    return _axis_slice(builder, ref, call, cut.dim, cut.start * stride, size)


def window(count: int, stride: int, taps: int, dilation: int = 1) -> int:
    """Rows of input that `count` rows of a valid convolution or pool read."""
    return stride * (count - 1) + (taps - 1) * dilation + 1


def _given_slice(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    value = builder.value(call.args[0], ref)
    start, size = (builder.extent(arg) for arg in call.args[1:])
    return take_slice(builder, value, start, size, ref)


def _split_value(name: str, read: Evaluate, doc: str) -> Function:
    return Function(name, (VAR,), Kind.INT, read, doc=doc)


def _iterate(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    base, name, low, high, body = call.args
    first, end = builder.integer(low), builder.integer(high)
    if end - first > MAX_SLICES:
        raise EvaluationError(f"OP_ITER over {end - first} inputs; {MAX_SLICES} are allowed")
    parts: list[SSAValue] = []
    for index in range(first, end):
        with builder.env.inside(str(name.evaluate(builder.env)), Split(0, index, 1, index)):
            parts.append(builder.value(body, Reference(ref.spec)))
    made = builder.value(base, ref)
    return builder.like(made, lambda op: [*op.operands, *parts]).results[0]


def _iter_input(env: Env, call: Call) -> Value:
    node = call.args[0].evaluate(env)
    if not isinstance(node, Node):
        raise TypeError(f"{call.args[0]} is no node")
    return at(node.inputs, split_of(env, call.args[1]).index)


AUTOSPLIT = builds(
    "AUTOSPLIT",
    (INTEGER, VAR, INTEGER, BUILDS),
    _autosplit,
    binds=True,
    doc=(
        "The replacement once for every slice of so many rows along a dim, joined by a "
        'Concat; the rule needs a guard. Example: `AUTOSPLIT(1, "I", 8, Op("Relu", '
        'TYPICAL_SLICE("X", "I")))`'
    ),
)
AUTOTHREAD_HVX, AUTOTHREAD_HMX = _autothread("hvx"), _autothread("hmx")

TYPICAL_SLICE = builds(
    "TYPICAL_SLICE",
    (BUILDS, VAR),
    _typical,
    doc=(
        'The slice\'s part of a node: same dim, start and size. Example: `TYPICAL_SLICE("X", "I")`'
    ),
)
CHANGEDIM_SLICE = builds(
    "CHANGEDIM_SLICE",
    (BUILDS, VAR, INTEGER),
    _change_dim,
    doc='The slice\'s part of a node, on another dim. Example: `CHANGEDIM_SLICE("W", "I", 2)`',
)
AUTOSPLIT_SLICE = builds(
    "AUTOSPLIT_SLICE",
    (BUILDS, EXTENT, EXTENT),
    _given_slice,
    doc=(
        'The part of a node with this start and size. Example: `AUTOSPLIT_SLICE("X", '
        'gen_Shape(0, SPLIT_START("I"), 0, 0), gen_Shape(1, SPLIT_SIZE("I"), 8, 32))`'
    ),
)
TYPICAL_CONV_SLICE = builds(
    "TYPICAL_CONV_SLICE",
    (BUILDS, VAR, INTEGER, INTEGER, INTEGER),
    _conv,
    optional=1,
    doc=(
        "What the slice of a valid convolution or pool reads: by stride, taps and, if given, "
        'dilation. Example: `TYPICAL_CONV_SLICE("X", "I", DIM_HEIGHT("S"), '
        'DIM_FILTHEIGHT("W"))`'
    ),
)

SPLIT_START = _split_value(
    "SPLIT_START",
    lambda env, c: split_of(env, c.args[0]).start,
    doc='Where the slice starts. Example: `MUL(SPLIT_START("I"), 2)`',
)
SPLIT_SIZE = _split_value(
    "SPLIT_SIZE",
    lambda env, c: split_of(env, c.args[0]).size,
    doc='How long the slice is. Example: `gen_Shape(1, SPLIT_SIZE("I"), 1, 1)`',
)
SPLIT_DIM = _split_value(
    "SPLIT_DIM",
    lambda env, c: split_of(env, c.args[0]).dim,
    doc='The dim that is split. Example: `SPLIT_DIM("I")`',
)
ITER_VAR = _split_value(
    "ITER_VAR",
    lambda env, c: split_of(env, c.args[0]).index,
    doc='The number of the slice or of the iteration. Example: `ADD(ITER_VAR("I"), 1)`',
)

OP_ITER = builds(
    "OP_ITER",
    (MODEL_OP, VAR, INTEGER, INTEGER, BUILDS),
    _iterate,
    binds=True,
    doc=(
        "An op with the replacement, built for every number from one to before another, as "
        'further inputs. Example: `OP_ITER(Op("Concat", gen_ConstScalar_i32(1)), "I", 0, 2, '
        'Op("Relu", "X"))`'
    ),
)
ITER_INPUT_OF = Function(
    "ITER_INPUT_OF",
    (NODE, VAR),
    Kind.NODE,
    _iter_input,
    doc=(
        'The input of a node\'s op at the iteration\'s number. Example: `ITER_INPUT_OF("C", "I")`'
    ),
)
