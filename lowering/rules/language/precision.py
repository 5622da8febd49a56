"""Replacements that move a part of the graph to half precision and back."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.types import ShapeType
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import spec_of, type_of
from ..tree.build import Builder, Reference
from ..tree.expr import Call
from ..tree.function import BUILDS, MODEL_OP, Function, builds


def _cast(builder: Builder, value: SSAValue, dtype: DType) -> SSAValue:
    if spec_of(value).dtype is dtype:
        return value
    return builder.native("Cast", [value], Reference(spec_of(value).with_dtype(dtype)))


def _cast_to(name: str, dtype: DType, doc: str) -> Function:
    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        return _cast(builder, builder.value(call.args[0], ref), dtype)

    return builds(name, (BUILDS,), build, doc=doc)


def _half_op(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    """The op in half precision, its float inputs and its output cast; params stay as they are."""

    def halved(op: Operation) -> Sequence[SSAValue]:
        return [
            value if _is_param(op, index) else _halved(builder, value)
            for index, value in enumerate(op.operands)
        ]

    made = builder.value(call.args[0], ref)
    half = type_of(spec_of(made).with_dtype(DType.Float16))
    return _cast(builder, builder.like(made, halved, [half]).results[0], ref.spec.dtype)


def _is_param(op: Operation, index: int) -> bool:
    return isinstance(op, NativeOp) and op.operand_name(index) in op.PARAMS


def _halved(builder: Builder, value: SSAValue) -> SSAValue:
    if isinstance(value.type, ShapeType) or spec_of(value).dtype is not DType.Float32:
        return value
    return _cast(builder, value, DType.Float16)


CAST_TO_FP16 = _cast_to(
    "CAST_TO_FP16",
    DType.Float16,
    doc='The value in half precision. Example: `CAST_TO_FP16("X")`',
)
CAST_TO_FP32 = _cast_to(
    "CAST_TO_FP32",
    DType.Float32,
    doc='The value in single precision. Example: `CAST_TO_FP32(Op("Neg", CAST_TO_FP16("X")))`',
)
MAKE_OP_FP16_AND_INSERT_CAST = builds(
    "MAKE_OP_FP16_AND_INSERT_CAST",
    (MODEL_OP,),
    _half_op,
    doc=(
        "An op in half precision, casts around it; params stay as they are. Example: "
        '`MAKE_OP_FP16_AND_INSERT_CAST("*")`'
    ),
)
