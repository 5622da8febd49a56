"""The schema of each family of ops."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from xdsl.ir import Operation

from .....dialects.htp import NATIVE_OPS
from .....dialects.htp.base import NativeOp
from .....dialects.htp.ops import attention, coded, copies, image, movement, norm, quantize, slices
from .....dialects.htp.ops.state import StateReadOp
from ..drawing.template import GraphTemplate, OpTemplate
from . import movement as moving
from .common import Schema
from .examples import exemplary
from .guess import Guess, distinct, signature
from .related import normalisation, related
from .trials import shown

SCHEMAS: dict[type[Operation], Schema] = {
    attention.AttentionOp: exemplary,
    coded.CodedFullyConnectedOp: exemplary,
    image.DepthToSpaceShapeOp: exemplary,
    image.ResizePlacesOp: exemplary,
    image.SpaceToDepthShapeOp: exemplary,
    quantize.BitCastOp: moving.bit_cast,
    norm.NormOp: normalisation,
    movement.ConcatOp: moving.concat,
    movement.GatherOp: moving.gather,
    movement.ReshapeOp: moving.reshape,
    slices.StridedSliceOp: moving.strided_slice,
    slices.SliceShapeOp: moving.slice_shape,
    slices.SlicePadShapeOp: moving.slice_pad,
    copies.CopyOp: moving.copy,
    StateReadOp: moving.state_read,
}
"""By class of a family, where neither its access map nor `infer` says all that there is to say."""


@lru_cache(maxsize=1024)
def schema_of(op_class: type[Operation]) -> Schema:
    """Find the schema of an op; guess it from native ops like it where none is stated."""
    return stated(op_class) or _guess


def _guess(template: GraphTemplate, op: OpTemplate) -> None:
    """Apply one of the guesses for an op with its number of operands."""
    guess = template.choices.pick(_guesses(op.op_class, len(op.operands)))
    guess.apply(template, op)
    native = op.op_class
    if issubclass(native, NativeOp) and native.leaves_results_free():
        template.guesses.append(f"{native.name} as {guess.label}")


@lru_cache(maxsize=1024)
def _guesses(op_class: type[Operation], operands: int) -> tuple[Guess, ...]:
    return distinct(op_class, _similar(op_class, operands))


def stated(op_class: type[Operation]) -> Schema | None:
    """Find the schema of the nearest base class, or the one by access map or by example."""
    schema = next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), None)
    if schema is not None or not issubclass(op_class, NativeOp):
        return schema
    if op_class.ACCESS is not None:
        return related
    example = shown(op_class)
    return exemplary if example and len(example) == len(op_class.OPERANDS) else None


def _similar(op_class: type[Operation], operands: int) -> Iterator[Guess]:
    """List the native ops of the same signature, each with its schema."""
    if not issubclass(op_class, NativeOp):
        return
    wanted = signature(op_class, operands)
    for op in NATIVE_OPS.values():
        schema = stated(op)
        if schema is not None and signature(op, len(op.OPERANDS)) == wanted:
            yield Guess(schema, op, op.OPERANDS)
