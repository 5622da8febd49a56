"""Ops that move elements, and reductions, as nodes."""

from itertools import pairwise

from ....dialects.qti_aisw.ops.movement import REDUCTIONS
from ....dialects.value import DType
from .call import PrintedOp, PrinterSet
from .draft import ABSENT, ROW, ModelTensor, Ordered, order
from .rows import is_row

PRINTS = PrinterSet()

_FAR = 2**62
"""An end beyond any dim."""


@PRINTS.op("Reshape", stored=True)
def _reshape(call: PrintedOp) -> ModelTensor | Ordered:
    """Reshape; a Transpose that only moves dims of extent 1 need not come before it."""
    operand, shape = call.operands[0], call.param("shape")
    dims, spec = operand.dims, operand.tensor.spec
    moved = [dim for dim in dims if spec is None or spec.shape[dim] != 1]
    x = operand.tensor
    if moved != sorted(moved):
        x = call.draft.ordered(Ordered(x, dims), order(len(dims)))
    if not is_row(call.op.results[0]):
        return call.reshaped(x, shape)
    batch, _, width, depth = shape
    first = 1 in (width, depth)
    row = (batch, depth, width) if first else (batch, width, depth)
    same = x.spec is not None and x.spec.shape == row
    return Ordered(x if same else call.reshaped(x, row), ROW if first else (0, ABSENT, 1, 2))


@PRINTS.op("Concat", "Gather", stored=True)
def _along(call: PrintedOp) -> ModelTensor:
    inputs = map(call.stored, range(len(call.operands)))
    return call.node(call.mnemonic, *inputs, **call.params("axis"))


@PRINTS.op("Split", stored=True)
def _split(call: PrintedOp) -> list[ModelTensor]:
    axis, cuts = call.param("axis"), call.param("split_index")
    ends = [0, *cuts, call.shape()[axis]]
    sizes = call.wholes(b - a for a, b in pairwise(ends))
    return call.nodes("Split", call.stored(), sizes, outputs=len(call.specs), axis=axis)


@PRINTS.op("StridedSlice", stored=True)
def _slice(call: PrintedOp) -> ModelTensor:
    shape, ranges = call.shape(), call.param("ranges")
    cut = [
        (axis, start, end if step > 0 or end >= 0 else -_FAR, step)
        for axis, (start, end, step) in enumerate(zip(*[iter(ranges)] * 3, strict=True))
        if (start, end, step) != (0, shape[axis], 1)
    ] or [(0, 0, _FAR, 1)]
    axes, starts, ends, steps = map(call.wholes, zip(*cut, strict=True))
    return call.node("Slice", call.stored(), starts, ends, axes, steps)


@PRINTS.op("Pad")
def _pad(call: PrintedOp) -> ModelTensor:
    amounts = call.param("pad_amount")
    pads = call.wholes((*amounts[::2], *amounts[1::2]))
    value = call.param("pad_constant_value")
    return call.node("Pad", call.real(), pads, call.like(value) if value else None)


@PRINTS.op("Tile", stored=True)
def _tile(call: PrintedOp) -> ModelTensor:
    return call.node("Tile", call.stored(), call.wholes(call.param("multiples")))


@PRINTS.op("ScatterNd", stored=True)
def _scatter(call: PrintedOp) -> ModelTensor:
    spec, indices = call.operands[1].tensor.spec, call.stored("indices")
    if spec and spec.dtype is not DType.Int64:
        indices = indices.wide or call.cast(indices, DType.Int64)
    inputs, reduction = (
        (call.stored("inp"), indices, call.stored("updates")),
        call.param("reduction"),
    )
    return call.node("ScatterND", *inputs, reduction=REDUCTIONS[reduction])


@PRINTS.op(*(f"Reduce{op}" for op in ("Sum", "Mean", "Prod", "Max", "Min")))
def _reduce(call: PrintedOp) -> ModelTensor:
    return call.reduced(call.mnemonic, call.real(), call.param("axes"), call.param("keep_dims"))


def _narrowed(call: PrintedOp, places: ModelTensor) -> ModelTensor:
    """Return the i32 of indices, which are i64 in ONNX."""
    narrow = call.cast(places, DType.Int32)
    narrow.wide = places
    return narrow


@PRINTS.op("Argmax", "Argmin")
def _arg(call: PrintedOp) -> ModelTensor:
    op = {"Argmax": "ArgMax", "Argmin": "ArgMin"}[call.mnemonic]
    keep = call.param("keep_dims")
    return _narrowed(call, call.node(op, call.real(), keepdims=keep, **call.params("axis")))


@PRINTS.op("TopK")
def _top_k(call: PrintedOp) -> list[ModelTensor]:
    inputs = call.real(), call.wholes([call.param("k")])
    values, places = call.nodes("TopK", *inputs, outputs=2, **call.params("largest"))
    return [values, _narrowed(call, places)]
