"""Modifiers of the reference output for the forms inside them; half precision; wrapped values."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, cast

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from ....dialects.attributes import SPLIT_HISTORY
from ....dialects.htp import NativeOp, ShapeType
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import DType, Quant, Shape, TensorSpec
from ..graph.graph import (
    BUILT,
    INTEGERS,
    EvaluationError,
    ExprKind,
    Node,
    Number,
    producer_name,
    resolve,
)
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import Expr
from ..tree.function import Body, Model, Parameter, as_written, builds
from .queries import tensor

MAX_OUTPUTS = 1 << 10


def _encoded(ref: Reference, node: Node) -> Reference:
    """Return the reference with a node's dtype and quantisation."""
    return ref.with_spec(ref.spec.with_type(tensor(node)))


@builds
def WITH_SIZE(builder: Builder, ref: Reference, dims: Shape, body: Body) -> SSAValue:
    """The reference's shape from a node or a shape. Example: `WITH_SIZE("B", Op("Neg", "B"))`"""
    return body.build(builder, ref.with_shape(dims))


@builds
def WITH_TYPE(builder: Builder, ref: Reference, node: Node, body: Body) -> SSAValue:
    """The reference's dtype and quantisation from a node.

    Example: `WITH_TYPE("X", Op("Neg", "X"))`
    """
    return body.build(builder, _encoded(ref, node))


@builds
def WITH_SAME_OUTPUT(builder: Builder, ref: Reference, node: Node, body: Body) -> SSAValue:
    """The reference's shape, dtype and quantisation from a node.

    Example: `WITH_SAME_OUTPUT("B", Op("Neg", "B"))`
    """
    return body.build(builder, _encoded(ref.with_shape(node.shape), node))


@builds
def WITH_OUTPUT_TYPE(
    builder: Builder, ref: Reference, dtype: DType, zero: int, step: Number, body: Body
) -> SSAValue:
    """The reference's dtype, zero point and scale.

    Example: `WITH_OUTPUT_TYPE(DType.QUInt8, 128, 0.05, Op("Quantize", "X"))`
    """
    quant = Quant((float(step),), (int(zero),))
    spec = TensorSpec(ref.spec.shape, dtype, quant if dtype.is_quantized else None)
    return body.build(builder, ref.with_spec(spec))


@builds
def WITH_MULTI_OUT(builder: Builder, ref: Reference, count: int, body: Body) -> SSAValue:
    """An op of `count` outputs; OpMultiOut takes one of them.

    Example: `WITH_MULTI_OUT(2, Op("Gru", "X", "W", "R"))`
    """
    if not 1 <= count <= MAX_OUTPUTS:
        raise EvaluationError(f"{count} outputs; 1 to {MAX_OUTPUTS} are allowed")
    return body.build(builder, replace(ref, outputs=count))


@builds
def WITH_SAME_ID(builder: Builder, ref: Reference, node: Node, body: Body) -> SSAValue:
    """The source location of a node's op. Example: `WITH_SAME_ID("C", Op("Neg", "X"))`"""
    return body.build(builder, replace(ref, location=node.op.location if node.op else None))


def split_history(op: Operation | None) -> tuple[int, ...]:
    """Return the splits that were recorded on an op."""
    attr = op.attributes.get(SPLIT_HISTORY) if op else None
    return tuple(int(n) for n in attr.get_values()) if isinstance(attr, DenseArrayBase) else ()


def _history_kind(kinds: Sequence[ExprKind]) -> ExprKind | str:
    if kinds[-1] not in BUILT:
        return "the last operand is a number; it must build an op"
    if len(kinds) == 3 and kinds[1] not in INTEGERS:
        return "the operand in the middle is no number"
    return ExprKind.OP


Entry = Annotated[Expr, Parameter("number or replacement", BUILT | INTEGERS, as_written)]


@partial(builds, result=_history_kind)
def WITH_SPLIT_HISTORY(
    builder: Builder, ref: Reference, node: Node, entry: Entry, body: Entry | None = None
) -> SSAValue:
    """The splits recorded on a node's op, and one more number, recorded on the new op.

    Example: `WITH_SPLIT_HISTORY("*", 1, Op("Relu", "X"))`
    """
    history = split_history(node.op)
    if body is not None:
        history = (*history, int(cast(Number, entry.evaluate(builder.env))))
    recorded = DenseArrayBase.from_list(i64, history)
    return (body or entry).build(builder, ref.with_attribute(SPLIT_HISTORY, recorded))


@builds
def ResizeDim(builder: Builder, ref: Reference, dim: int, size: int, body: Body) -> SSAValue:
    """The reference with another size of one dim. Example: `ResizeDim(3, 32, Op("Neg", "X"))`"""
    return body.build(builder, ref.resized(dim, size))


@builds
def ALSO_REPLACE(builder: Builder, ref: Reference, node: Node, other: Body, body: Body) -> SSAValue:
    """The last operand for the root; the one before it replaces an inner op of the match.

    So one op with several results replaces all of them. The inner op is named by a LET, and may
    be read from outside the match. Nothing changes where a reader stands in front of a new input.

    Example: `ALSO_REPLACE("C", OpMultiOut(2, 1, "Pair", "X"), OpMultiOut(2, 0, "Pair", "X"))`
    """
    inner = Reference(tensor(node))
    builder.further.append((node.value, other.build(builder, inner)))
    return body.build(builder, ref)


@builds
def WrapOp(builder: Builder, ref: Reference, op: str, body: Body) -> SSAValue:
    """An op over a value, with the value's own shape and type; the value alone where an
    op of this name makes it.

    Example: `WrapOp("Relu", "X")`
    """
    inner = body.build(builder, ref)
    if producer_name(inner) == resolve(op, builder.env.package):
        return inner
    return builder.op(op, [inner], replace(ref, spec=spec_of(inner)))


@builds
def WrapOpAlways(builder: Builder, ref: Reference, op: str, body: Body) -> SSAValue:
    """An op over a value, with the value's own shape and type.

    Example: `WrapOpAlways("Relu", "X")`
    """
    inner = body.build(builder, ref)
    return builder.op(op, [inner], replace(ref, spec=spec_of(inner)))


def _cast(builder: Builder, value: SSAValue, dtype: DType) -> SSAValue:
    if spec_of(value).dtype is dtype:
        return value
    return builder.native("Cast", [value], Reference(spec_of(value).with_dtype(dtype)))


@builds
def CAST_TO_FP16(builder: Builder, ref: Reference, value: Body) -> SSAValue:
    """The value in half precision. Example: `CAST_TO_FP16("X")`"""
    return _cast(builder, value.build(builder, ref), DType.Float16)


@builds
def CAST_TO_FP32(builder: Builder, ref: Reference, value: Body) -> SSAValue:
    """The value in single precision. Example: `CAST_TO_FP32(Op("Neg", CAST_TO_FP16("X")))`"""
    return _cast(builder, value.build(builder, ref), DType.Float32)


@builds
def MAKE_OP_FP16_AND_INSERT_CAST(builder: Builder, ref: Reference, op: Model) -> SSAValue:
    """An op in half precision, casts around it; params stay unchanged.

    It changes nothing where the result of the op, or of the op that it replaces, is not a float.

    Example: `MAKE_OP_FP16_AND_INSERT_CAST("*")`
    """

    def halved(model: Operation) -> Sequence[SSAValue]:
        return [
            value
            if isinstance(model, NativeOp) and model.operand_name(index) in model.PARAMS
            else _halved(builder, value)
            for index, value in enumerate(model.operands)
        ]

    model = op.build(builder, ref)
    if not (spec_of(model).dtype.is_float and ref.spec.dtype.is_float):
        raise NoChange
    half = type_of(spec_of(model).with_dtype(DType.Float16))
    return _cast(builder, builder.like(model, halved, [half]).results[0], ref.spec.dtype)


def _halved(builder: Builder, value: SSAValue) -> SSAValue:
    if isinstance(value.type, ShapeType) or spec_of(value).dtype is not DType.Float32:
        return value
    return _cast(builder, value, DType.Float16)
