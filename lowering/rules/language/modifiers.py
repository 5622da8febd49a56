"""Forms that change the reference output for what they hold, and ops that wrap a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from ....dialects.value.dtypes import DType, Quant
from ....dialects.value.spec import TensorSpec, spec_of
from ..graph.graph import producer_name
from ..graph.names import resolve
from ..graph.types import BUILT, INTEGERS, EvaluationError, Kind, Number
from ..tree.build import Builder, Reference
from ..tree.expr import Call
from ..tree.function import (
    BUILDS,
    DTYPE,
    EXTENT,
    INTEGER,
    NODE,
    NUMBER,
    TEXT,
    Function,
    Slot,
    builds,
)
from .queries import tensor

SPLIT_HISTORY = "htp.split_history"
MAX_OUTPUTS = 1 << 10


def _like(name: str, shape: bool, encoding: bool, doc: str) -> Function:
    """A modifier that takes shape, encoding or both from its first operand."""

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        if shape:
            ref = ref.with_shape(builder.extent(call.args[0]))
        if encoding:
            ref = ref.with_spec(ref.spec.with_type(tensor(builder.node(call.args[0]))))
        return builder.value(call.args[1], ref)

    source = NODE if encoding else EXTENT
    return builds(name, (source, BUILDS), build, doc=doc)


def _output_type(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    dtype, zero, step = (arg.evaluate(builder.env) for arg in call.args[:3])
    if not isinstance(dtype, DType):
        raise TypeError(f"{call.args[0]} is no dtype")
    quant = Quant((float(cast(Number, step)),), (int(cast(Number, zero)),))
    spec = TensorSpec(ref.spec.shape, dtype, quant if dtype.is_quantized else None)
    return builder.value(call.args[3], ref.with_spec(spec))


def _multi_out(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    count = builder.integer(call.args[0])
    if not 1 <= count <= MAX_OUTPUTS:
        raise EvaluationError(f"{count} outputs; 1 to {MAX_OUTPUTS} are allowed")
    return builder.value(call.args[1], replace(ref, outputs=count))


def _resize(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    dim, size = (builder.integer(arg) for arg in call.args[:2])
    return builder.value(call.args[2], ref.resized(dim, size))


def _same_id(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    source = builder.node(call.args[0]).op
    location = source.location if source else None
    return builder.value(call.args[1], replace(ref, location=location))


def split_history(op: Operation | None) -> tuple[int, ...]:
    """The splits that were recorded on an op."""
    held = op.attributes.get(SPLIT_HISTORY) if op else None
    return tuple(int(n) for n in held.get_values()) if isinstance(held, DenseArrayBase) else ()


def _with_history(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    history = list(split_history(builder.node(call.args[0]).op))
    if len(call.args) == 3:
        history.append(builder.integer(call.args[1]))
    recorded = DenseArrayBase.from_list(i64, history)
    return builder.value(call.args[-1], ref.with_attribute(SPLIT_HISTORY, recorded))


def _history_kind(kinds: Sequence[Kind]) -> Kind | str:
    if kinds[-1] not in BUILT:
        return "the last operand is a number; it must build an op"
    if len(kinds) == 3 and kinds[1] not in INTEGERS:
        return "the operand in the middle is no number"
    return Kind.OP


def _wrap(name: str, always: bool, doc: str) -> Function:
    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        op = str(call.args[0].evaluate(builder.env))
        inner = builder.value(call.args[1], ref)
        if not always and producer_name(inner) == resolve(op, builder.env.package):
            return inner
        return builder.op(op, [inner], replace(ref, spec=spec_of(inner)))

    return builds(name, (TEXT, BUILDS), build, doc=doc)


WITH_SIZE = _like(
    "WITH_SIZE",
    shape=True,
    encoding=False,
    doc=(
        'The reference\'s shape from a node or a shape. Example: `WITH_SIZE("B", Op("Neg", "B"))`'
    ),
)
WITH_TYPE = _like(
    "WITH_TYPE",
    shape=False,
    encoding=True,
    doc=(
        'The reference\'s dtype and quantisation from a node. Example: `WITH_TYPE("X", '
        'Op("Neg", "X"))`'
    ),
)
WITH_SAME_OUTPUT = _like(
    "WITH_SAME_OUTPUT",
    shape=True,
    encoding=True,
    doc=(
        "The reference's shape, dtype and quantisation from a node. Example: "
        '`WITH_SAME_OUTPUT("B", Op("Neg", "B"))`'
    ),
)
WITH_OUTPUT_TYPE = builds(
    "WITH_OUTPUT_TYPE",
    (DTYPE, INTEGER, NUMBER, BUILDS),
    _output_type,
    doc=(
        "The reference's dtype, zero point and scale. Example: "
        '`WITH_OUTPUT_TYPE(DType.QUInt8, 128, 0.05, Op("Quantize", "X"))`'
    ),
)
WITH_MULTI_OUT = builds(
    "WITH_MULTI_OUT",
    (INTEGER, BUILDS),
    _multi_out,
    doc=(
        "An op of so many outputs; OpMultiOut takes one of them. Example: `WITH_MULTI_OUT(2, "
        'Op("Gru", "X", "W", "R"))`'
    ),
)
WITH_SAME_ID = builds(
    "WITH_SAME_ID",
    (NODE, BUILDS),
    _same_id,
    doc='The source location of a node\'s op. Example: `WITH_SAME_ID("C", Op("Neg", "X"))`',
)
_HISTORY = Slot("number or replacement", BUILT | INTEGERS)
WITH_SPLIT_HISTORY = builds(
    "WITH_SPLIT_HISTORY",
    (NODE, _HISTORY, _HISTORY),
    _with_history,
    result=_history_kind,
    optional=1,
    doc=(
        "The splits recorded on a node's op, and one more number, recorded on the new op. "
        'Example: `WITH_SPLIT_HISTORY("*", 1, Op("Relu", "X"))`'
    ),
)
ResizeDim = builds(
    "ResizeDim",
    (INTEGER, INTEGER, BUILDS),
    _resize,
    doc=('The reference with another size of one dim. Example: `ResizeDim(3, 32, Op("Neg", "X"))`'),
)

WrapOp = _wrap(
    "WrapOp",
    always=False,
    doc=(
        "An op over a value, with the value's own shape and type; the value alone where such "
        'an op makes it. Example: `WrapOp("Relu", "X")`'
    ),
)
WrapOpAlways = _wrap(
    "WrapOpAlways",
    always=True,
    doc=(
        "An op over a value, with the value's own shape and type. Example: "
        '`WrapOpAlways("Relu", "X")`'
    ),
)
