"""Ops that look elements up: each is one Gather of rows, whose numbers follow from indices."""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from .steps import (
    element_numbers,
    from_front,
    like,
    row_numbers,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("GatherElements", folds=True, keeps_stored=True)
def gather_elements(ctx: NodeContext) -> list[SSAValue]:
    """GatherElements: elements of the flat data by their numbers."""
    x, indices = ctx.value(0), ctx.value(1)
    axis = ctx.axis(len(ctx.shape(x)), 0)
    numbers = element_numbers(ctx, indices, ctx.shape(x), axis)
    return [ctx.emit("Gather", ctx.reshape(x, (prod(ctx.shape(x)),)), numbers, axis=0)]


@ONNX.importer("GatherND", folds=True, keeps_stored=True)
def gather_nd(ctx: NodeContext) -> list[SSAValue]:
    """GatherND: rows of the data by their numbers."""
    x, indices = ctx.value(0), ctx.value(1)
    batch, shape = ctx.integer("batch_dims"), ctx.shape(x)
    *front, width = ctx.shape(indices)
    depth = batch + width
    if depth == width == 1:
        return [ctx.emit("Gather", x, ctx.reshape(indices, front), axis=0)]
    rows = ctx.reshape(x, (prod(shape[:depth]), *shape[depth:]))
    return [ctx.emit("Gather", rows, row_numbers(ctx, indices, shape, batch), axis=0)]


@ONNX.importer("ReverseSequence", folds=True, keeps_stored=True)
def reverse_sequence(ctx: NodeContext) -> list[SSAValue]:
    """ReverseSequence: step t of a batch comes from length - 1 - t, as long as t is within."""
    x, lengths = ctx.value(0), ctx.value(1)
    time, batch = ctx.integer("time_axis"), ctx.integer("batch_axis", 1)
    ctx.require({time, batch} == {0, 1}, f"'time_axis' is {time}, 'batch_axis' is {batch}")
    shape = ctx.shape(x)
    count, steps = shape[batch], shape[time]
    ctx.require(count * steps <= MOST_ELEMENTS, f"reverses {count} sequences of {steps} steps")
    lengths = ctx.reshape(lengths, (count, 1) if batch == 0 else (count,))
    own = np.arange(steps).reshape((-1, 1) if time == 0 else (1, -1))
    before = ctx.emit("ElementWiseSubtract", lengths, like(ctx, own + 1, lengths))
    inside = ctx.emit("ElementWiseGreaterEqual", before, ctx.scalar(0, lengths))
    source = ctx.emit("ElementWiseSelect", inside, before, like(ctx, own, lengths))
    numbers = element_numbers(ctx, source, shape[:2], time)
    return [ctx.emit("Gather", ctx.reshape(x, (steps * count, *shape[2:])), numbers, axis=0)]


@ONNX.importer("Compress", folds=True, keeps_stored=True)
def compress(ctx: NodeContext) -> list[SSAValue]:
    """Compress by a constant condition; without an axis the data is flat."""
    x, condition = ctx.value(0), ctx.constant(1).reshape(-1)
    rank = len(ctx.shape(x))
    flat = not ctx.given("axis")
    x, axis = (ctx.reshape(x, (prod(ctx.shape(x)),)), 0) if flat else (x, ctx.axis(rank, 0))
    places = np.flatnonzero(condition).astype(np.int32)
    size = ctx.shape(x)[axis]
    outside = bool((places >= size).any())
    ctx.require(not outside, f"input 'condition' is longer than dim {axis}, which is {size}")
    return [ctx.emit("Gather", x, ctx.const(places), axis=axis)]


@ONNX.importer("OneHot", folds=True)
def one_hot(ctx: NodeContext) -> list[SSAValue]:
    """OneHot: a Select by where the index is the number of the class."""
    indices, values = ctx.value(0), ctx.value(2)
    (depth,) = ctx.integers_at(1) or (0,)
    count = depth * prod(ctx.shape(indices))
    remedy = f"at most {MOST_ELEMENTS} are taken"
    problem = f"makes {count} elements of its depth {depth}"
    ctx.require(0 <= count <= MOST_ELEMENTS, problem, remedy)
    rank = len(ctx.shape(indices)) + 1
    axis = ctx.axis(rank, -1)
    if ctx.dtype(indices).is_float:
        indices = ctx.emit("Cast", indices, to=plain_element_type(DType.Int64))
    shape = ctx.shape(indices)
    indices = ctx.reshape(from_front(ctx, indices, depth), (*shape[:axis], 1, *shape[axis:]))
    classes = like(ctx, np.arange(depth).reshape((-1, *(1,) * (rank - 1 - axis))), indices)
    hit = ctx.emit("ElementWiseEqual", indices, classes)
    off, on = (ctx.emit("StridedSlice", values, ranges=[i, i + 1, 1]) for i in (0, 1))
    return [ctx.emit("ElementWiseSelect", hit, on, off)]


@ONNX.importer("TopK", folds=True, keeps_stored=True)
def top_k(ctx: NodeContext) -> list[SSAValue]:
    """TopK along the last dim; what need not be sorted is sorted all the same."""
    x, (count, *_) = ctx.value(0), ctx.integers_at(1) or (0,)
    rank = len(ctx.shape(x))
    axis, largest = ctx.axis(rank, -1), bool(ctx.integer("largest", 1))
    ctx.integer("sorted")
    order = [dim for dim in range(rank) if dim != axis] + [axis]
    back = [order.index(dim) for dim in range(rank)]
    values, places = ctx.emit_all("TopK", ctx.transpose(x, order), k=count, largest=largest)
    places = ctx.emit("Cast", places, to=plain_element_type(DType.Int64))
    return [ctx.transpose(values, back), ctx.transpose(places, back)]


@ONNX.importer("Hardmax")
def hardmax(ctx: NodeContext) -> list[SSAValue]:
    """Hardmax: 1 where the first largest element of the axis is, 0 elsewhere."""
    x = ctx.value(0)
    shape = ctx.shape(x)
    axis = ctx.axis(len(shape), -1)
    first = ctx.emit("Argmax", x, axis=axis, keep_dims=True)
    places = np.arange(shape[axis], dtype=np.int32).reshape((-1, *(1,) * (len(shape) - 1 - axis)))
    hit = ctx.emit("ElementWiseEqual", first, ctx.const(places))
    return [ctx.emit("Cast", hit, to=plain_element_type(ctx.dtype(x)))]
