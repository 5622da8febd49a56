"""MaskedSoftmax has no HTP op: it is decomposed into element-wise ops and a Softmax."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from .builder import Builder
from .registry import ConversionSet

CONVERSIONS = ConversionSet()

_LOWEST = -3.0e38


@CONVERSIONS.conversion("MaskedSoftmax")
def convert_masked_softmax(op: GraphOp, builder: Builder) -> None:
    """Append the decomposition; it computes in f32, as the op does for all of its dtypes."""
    stored = spec_of(op.results[0])
    data, mask = builder.get_all(op.operands)
    spec = stored.with_dtype(DType.Float32)
    widen, narrow = _CONVERSIONS.get(stored.dtype, ("Dequantize", "Quantize"))
    if widen:
        data = builder.op(widen, [data], spec)
    decompose = _DECOMPOSITIONS[str(op.params()["mode"])]
    out = decompose(builder, data, mask, spec)
    builder.set(op.results[0], builder.op(narrow, [out], stored) if narrow else out)


_CONVERSIONS = {DType.Float32: ("", ""), DType.Float16: ("Cast", "Cast")}
"""The ops that bring data to f32 and back, for the dtypes that are not quantised."""


def _uncompressed(builder: Builder, data: SSAValue, mask: SSAValue, spec: TensorSpec) -> SSAValue:
    batches, _, _, depth = spec.shape
    added = spec.with_shape((batches, 1, 1, depth))
    cast = builder.op("Cast", [mask], spec.with_shape((1, 1, batches, depth)))
    masked = builder.op("ElementWiseAdd", [data, builder.reshape(cast, added)], spec)
    return _softmax(builder, masked, spec)


def _compressed(builder: Builder, data: SSAValue, mask: SSAValue, spec: TensorSpec) -> SSAValue:
    """Position (w, c) counts where w and c belong to the same sequence."""
    batches, _, width, depth = spec.shape
    sequences = spec_of(mask).shape[-1]
    ids = TensorSpec((batches, 1, 1, depth), DType.Int32)
    keep = TensorSpec((batches, 1, width, depth), DType.Bool8)
    columns = builder.op("SequenceIds", [mask, builder.shape(ids.shape)], ids)
    rows = builder.reshape(columns, ids.with_shape((batches, 1, width, 1)))
    same = builder.op("ElementWiseEqual", [rows, columns], keep)
    past = builder.full((1, 1, 1, 1), sequences, DType.Int32)
    valid = builder.op("ElementWiseLess", [columns, past], keep.with_shape(ids.shape))
    kept = builder.op("ElementWiseAnd", [same, valid], keep)
    lowest = builder.full((1, 1, 1, 1), _LOWEST)
    masked = builder.op("ElementWiseSelect", [kept, data, lowest], spec)
    zero = builder.full((1, 1, 1, 1), 0)
    weights = _softmax(builder, masked, spec)
    return builder.op("ElementWiseSelect", [kept, weights, zero], spec)


def _softmax(builder: Builder, value: SSAValue, spec: TensorSpec) -> SSAValue:
    operands = [value, builder.param("axis", 3), builder.param("beta", 1.0)]
    return builder.op("Softmax", operands, spec)


_DECOMPOSITIONS = {"UNCOMPRESSED": _uncompressed, "COMPRESSED": _compressed}
