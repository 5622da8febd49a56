"""The schema of each family of ops."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Operation

from .....dialects.htp.ops import (
    activation,
    buffer,
    conv_layer,
    convolution,
    copies,
    elementwise,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
    slices,
)
from .....dialects.htp.ops.state import StateReadOp
from .....dialects.value.dtypes import DType
from . import movement as moving
from . import recurrent, windows
from .common import FACTORS, FLOATS, PLAIN, QUANTIZED, Schema
from .guess import guessed
from .related import Related, normalisation

_BOOL = (DType.Bool8,)

SCHEMAS: dict[type[Operation], Schema] = {
    elementwise.UnaryOp: Related(),
    elementwise.NotOp: Related(_BOOL),
    elementwise.BinaryOp: Related(),
    elementwise.CompareOp: Related((), result=_BOOL),
    elementwise.LogicOp: Related(_BOOL),
    elementwise.ChoiceOp: Related((), apart={"cond": _BOOL}),
    activation.PreluOp: Related(beside=("slope",)),
    activation.BiasAddOp: Related(),
    quantize.CastOp: Related(PLAIN, result=PLAIN),
    quantize.QuantizeOp: Related((*FLOATS, *QUANTIZED), result=QUANTIZED),
    quantize.DequantizeOp: Related(QUANTIZED, result=FLOATS),
    conv_layer.ConvValidOp: Related(FACTORS),
    conv_layer.Im2colStride2Op: windows.im2col,
    conv_layer.WeightsForIm2colOp: windows.weights_for_im2col,
    convolution.ConvolutionOp: Related(FACTORS),
    convolution.TransposeConv2dOp: windows.convolution_transposed,
    pool.PoolValidOp: Related(),
    pool.PoolOp: windows.pool_raw,
    linear.FullyConnectedOp: Related(FACTORS),
    linear.MatMulOp: Related(FACTORS),
    norm.SoftmaxFamilyOp: Related(),
    norm.NormOp: normalisation,
    norm.BatchnormOp: Related(beside=("weights",)),
    reduce.ReduceOp: Related(),
    reduce.ArgOp: Related((), result=(DType.Int32,)),
    movement.ConcatOp: moving.concat,
    movement.ReshapeOp: moving.reshape,
    movement.TransposeOp: moving.transpose,
    movement.PadOp: moving.pad,
    movement.GatherOp: moving.gather,
    movement.TileOp: moving.tile,
    slices.StridedSliceOp: moving.strided_slice,
    slices.SliceShapeOp: moving.slice_shape,
    slices.SlicePadShapeOp: moving.slice_pad,
    copies.CopyOp: moving.copy,
    rnn.RecurrentOp: recurrent.recurrent,
    buffer.BufferStepOp: recurrent.buffer_step,
    buffer.SequenceIdsOp: recurrent.sequence_ids,
    StateReadOp: recurrent.state_read,
}
"""By the class that states the family; a leaf is looked up by its base classes."""


@lru_cache(maxsize=1024)
def schema_of(op_class: type[Operation]) -> Schema:
    """Find the schema of the nearest base class; guess that of an op of another package."""
    stated = next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), None)
    return stated or guessed(op_class, SCHEMAS)
