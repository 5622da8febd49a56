"""The schema of each family of ops."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from xdsl.ir import Operation

from .....dialects.htp import NATIVE_OPS
from .....dialects.htp.base import NativeOp
from .....dialects.htp.ops import (
    attention,
    buffer,
    coded,
    conv_layer,
    convolution,
    copies,
    detection,
    image,
    movement,
    norm,
    quantize,
    reduce,
    rnn,
    scatter,
    slices,
)
from .....dialects.htp.ops.state import StateReadOp
from ..drawing.template import GraphTemplate, OpTemplate
from . import attention as attending
from . import coded as coding
from . import detection as detecting
from . import images, recurrent, windows
from . import movement as moving
from .common import Schema
from .guess import Guess, distinct, signature
from .related import normalisation, related

SCHEMAS: dict[type[Operation], Schema] = {
    attention.AttentionOp: attending.attention,
    coded.CodedFullyConnectedOp: coding.fully_connected,
    coded.DecodeWeightsOp: coding.decoding,
    quantize.BitCastOp: moving.bit_cast,
    conv_layer.Im2colStride2Op: windows.im2col,
    conv_layer.WeightsForIm2colOp: windows.weights_for_im2col,
    convolution.TransposeConv2dOp: windows.convolution_transposed,
    image.ResizeOp: images.resize,
    image.ResizePlacesOp: images.resize_places,
    image.DepthToSpaceOp: images.spread,
    image.DepthToSpaceShapeOp: images.spread,
    image.SpaceToDepthOp: images.stack,
    image.SpaceToDepthShapeOp: images.stack,
    norm.NormOp: normalisation,
    reduce.TopKOp: moving.best,
    detection.NonMaxSuppressionOp: detecting.suppression,
    movement.ConcatOp: moving.concat,
    movement.ReshapeOp: moving.reshape,
    movement.TransposeOp: moving.transpose,
    movement.PadOp: moving.pad,
    movement.GatherOp: moving.gather,
    movement.TileOp: moving.tile,
    scatter.ScatterNdOp: moving.scatter,
    slices.StridedSliceOp: moving.strided_slice,
    slices.SliceShapeOp: moving.slice_shape,
    slices.SlicePadShapeOp: moving.slice_pad,
    copies.CopyOp: moving.copy,
    rnn.RecurrentOp: recurrent.recurrent,
    buffer.BufferStepOp: recurrent.buffer_step,
    buffer.SequenceIdsOp: recurrent.sequence_ids,
    StateReadOp: recurrent.state_read,
}
"""By class of a family, where its declaration is not all that there is to say."""


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
    """Find the schema of the nearest base class, or the one by access map."""
    schema = next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), None)
    if schema is None and issubclass(op_class, NativeOp) and op_class.ACCESS is not None:
        return related
    return schema


def _similar(op_class: type[Operation], operands: int) -> Iterator[Guess]:
    """List the native ops of the same signature, each with its schema."""
    if not issubclass(op_class, NativeOp):
        return
    wanted = signature(op_class, operands)
    for op in NATIVE_OPS.values():
        schema = stated(op)
        if schema is not None and signature(op, len(op.OPERANDS)) == wanted:
            yield Guess(schema, op, op.OPERANDS)
