"""Ops that move elements, and reductions, as nodes."""

from itertools import pairwise

import numpy as np

from ....dialects.qti_aisw.ops.scatter import REDUCTIONS
from ....dialects.value import DType
from .call import PrintedOp, PrinterSet
from .draft import ModelTensor

PRINTS = PrinterSet()

_FAR = 2**62
"""An end beyond any dim."""


@PRINTS.op("Reshape", stored=True)
def _reshape(call: PrintedOp) -> ModelTensor:
    """Reshape; a Transpose that only moves dims of extent 1 need not come before it."""
    operand, shape = call.operands[0], call.ints("shape")
    spec = operand.tensor.spec
    moved = [dim for dim in operand.order if spec is None or spec.shape[dim] != 1]
    x = operand.tensor if moved == sorted(moved) else call.stored()
    return call.reshaped(x, shape)


@PRINTS.op("Concat", stored=True)
def _concat(call: PrintedOp) -> ModelTensor:
    parts = [call.stored(index) for index in range(len(call.operands))]
    return call.node("Concat", *parts, axis=call.whole("axis"))


@PRINTS.op("Split", stored=True)
def _split(call: PrintedOp) -> list[ModelTensor]:
    axis, cuts = call.whole("axis"), call.ints("split_index")
    ends = [0, *cuts, call.shape()[axis]]
    sizes = call.const(np.array([b - a for a, b in pairwise(ends)], np.int64))
    return call.nodes("Split", call.stored(), sizes, outputs=len(call.specs), axis=axis)


@PRINTS.op("StridedSlice", stored=True)
def _slice(call: PrintedOp) -> ModelTensor:
    shape, ranges = call.shape(), call.ints("ranges")
    cut = [
        (axis, start, end if step > 0 or end >= 0 else -_FAR, step)
        for axis, (start, end, step) in enumerate(zip(*[iter(ranges)] * 3, strict=True))
        if (start, end, step) != (0, shape[axis], 1)
    ] or [(0, 0, _FAR, 1)]
    axes, starts, ends, steps = (
        call.const(np.array(each, np.int64)) for each in zip(*cut, strict=True)
    )
    return call.node("Slice", call.stored(), starts, ends, axes, steps)


@PRINTS.op("Pad")
def _pad(call: PrintedOp) -> ModelTensor:
    amounts = call.ints("pad_amount")
    pads = call.const(np.array([*amounts[::2], *amounts[1::2]], np.int64))
    value = call.number("pad_constant_value")
    return call.node("Pad", call.real(), pads, call.like(value) if value else None)


@PRINTS.op("Gather", stored=True)
def _gather(call: PrintedOp) -> ModelTensor:
    return call.node("Gather", call.stored("inp"), call.stored("indices"), axis=call.whole("axis"))


@PRINTS.op("Tile", stored=True)
def _tile(call: PrintedOp) -> ModelTensor:
    return call.node("Tile", call.stored(), call.const(np.array(call.ints("multiples"), np.int64)))


@PRINTS.op("ScatterNd", stored=True)
def _scatter(call: PrintedOp) -> ModelTensor:
    indices = call.stored("indices")
    if call.operands[1].tensor.spec and call.operands[1].tensor.spec.dtype is not DType.Int64:
        indices = indices.wide or call.cast(indices, DType.Int64)
    reduction = REDUCTIONS[call.whole("reduction")]
    return call.node(
        "ScatterND", call.stored("inp"), indices, call.stored("updates"), reduction=reduction
    )


@PRINTS.op(*(f"Reduce{op}" for op in ("Sum", "Mean", "Prod", "Max", "Min")))
def _reduce(call: PrintedOp) -> ModelTensor:
    return call.reduced(call.mnemonic, call.real(), call.ints("axes"), call.whole("keep_dims"))


def _narrowed(call: PrintedOp, places: ModelTensor) -> ModelTensor:
    """Return the i32 of indices, which are i64 in ONNX."""
    narrow = call.cast(places, DType.Int32)
    narrow.wide = places
    return narrow


@PRINTS.op("Argmax", "Argmin")
def _arg(call: PrintedOp) -> ModelTensor:
    op = {"Argmax": "ArgMax", "Argmin": "ArgMin"}[call.mnemonic]
    attributes = {"axis": call.whole("axis"), "keepdims": call.whole("keep_dims")}
    return _narrowed(call, call.node(op, call.real(), **attributes))


@PRINTS.op("TopK")
def _top_k(call: PrintedOp) -> list[ModelTensor]:
    count = call.const(np.array([call.whole("k")], np.int64))
    values, places = call.nodes(
        "TopK", call.real(), count, outputs=2, largest=call.whole("largest")
    )
    return [values, _narrowed(call, places)]
