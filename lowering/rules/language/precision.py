"""Replacements that move a part of the graph to half precision and back."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.htp import NativeOp, ShapeType
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value.dtypes import DType
from ..tree.build import Builder, NoChange, Reference
from ..tree.function import Body, Model, builds


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
