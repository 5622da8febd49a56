"""Steps that importers share: pieces and margins of a tensor by dim, numbers of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, prod

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ......dialects.qti_aisw.ops.const import ConstOp
from ...support.context import NodeContext
from ...support.types import MOST_ELEMENTS

Range = tuple[int, int, int]
"""Begin, end and step; with a negative step the end -1 stands for before element 0."""


def fits_param(number: float) -> bool:
    """Tell whether a param, which is f32, holds a number, integers too."""
    with np.errstate(over="ignore"):
        return isnan(number) or float(np.float32(number)) == number


def piece(ctx: NodeContext, x: SSAValue, ranges: dict[int, Range]) -> SSAValue:
    """Return what the ranges take of their dims; a constant is cut at once."""
    whole = [(0, size, 1) for size in ctx.shape(x)]
    taken = [ranges.get(axis, one) for axis, one in enumerate(whole)]
    if taken == whole:
        return x
    if isinstance(x.owner, ConstOp):
        cuts = (slice(begin, None if end < 0 else end, step) for begin, end, step in taken)
        return ctx.const(x.owner.array[tuple(cuts)])
    return ctx.emit("StridedSlice", x, ranges=[number for one in taken for number in one])


def flipped(ctx: NodeContext, x: SSAValue, axis: int) -> SSAValue:
    """Return the data with the elements of one dim from last to first."""
    return piece(ctx, x, {axis: (ctx.shape(x)[axis] - 1, -1, -1)})


def concat(ctx: NodeContext, parts: Sequence[SSAValue], axis: int) -> SSAValue:
    """Return values one after the other along a dim; constants are joined at once."""
    if len(parts) == 1:
        return parts[0]
    arrays = [part.owner.array for part in parts if isinstance(part.owner, ConstOp)]
    if len(arrays) == len(parts):
        return ctx.const(np.concatenate(arrays, axis))
    return ctx.emit("Concat", parts, axis=axis)


def margins(
    ctx: NodeContext, x: SSAValue, pairs: Sequence[tuple[int, int]], value: float = 0.0
) -> SSAValue:
    """Return the data with (before, after) elements of one value by dim; a negative count crops."""
    cut = {
        axis: (max(-before, 0), size - max(-after, 0), 1)
        for axis, ((before, after), size) in enumerate(zip(pairs, ctx.shape(x), strict=True))
    }
    for axis, (begin, end, _) in cut.items():
        ctx.require(
            begin <= end, f"crops more of dim {axis} than its {ctx.shape(x)[axis]} elements"
        )
    x = piece(ctx, x, cut)
    amounts = [max(count, 0) for pair in pairs for count in pair]
    if not any(amounts):
        return x
    if fits_param(value):
        return ctx.emit("Pad", x, pad_amount=amounts, pad_constant_value=float(value))
    # What is too long for a param is chosen where the margins are.
    inside = np.ones(ctx.shape(x), bool)
    inside = np.pad(inside, [*zip(amounts[::2], amounts[1::2], strict=True)])
    padded = ctx.emit("Pad", x, pad_amount=amounts)
    return ctx.emit("ElementWiseSelect", ctx.const(inside), padded, ctx.scalar(value, x))


def like(ctx: NodeContext, numbers: Array, value: SSAValue) -> SSAValue:
    """Return constant numbers in the dtype of a value."""
    return ctx.const(np.asarray(numbers, ctx.dtype(value).storage))


def from_front(ctx: NodeContext, indices: SSAValue, extents: Array | int) -> SSAValue:
    """Return indices counted from the front: a negative one gets the extent of its dim added."""
    behind = ctx.emit("ElementWiseLess", indices, ctx.scalar(0, indices))
    counted = ctx.emit("ElementWiseAdd", indices, like(ctx, np.asarray(extents), indices))
    return ctx.emit("ElementWiseSelect", behind, counted, indices)


def element_numbers(
    ctx: NodeContext, indices: SSAValue, shape: Sequence[int], axis: int
) -> SSAValue:
    """Return the numbers, in row-major order, of elements whose coordinate on `axis` is an index.

    The other coordinates are those of the index itself.
    """
    rank = len(ctx.shape(indices))
    ctx.require(rank == len(shape), f"the indices have rank {rank}, the data has {len(shape)}")
    count = prod(ctx.shape(indices))
    remedy = f"at most {MOST_ELEMENTS} are taken"
    ctx.require(count <= MOST_ELEMENTS, f"numbers {count} elements on import", remedy)
    strides = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    places = np.indices(ctx.shape(indices))
    others = sum(
        (place * stride for place, stride in zip(places, strides, strict=True)),
        start=-places[axis] * strides[axis],
    )
    along = from_front(ctx, indices, shape[axis])
    along = ctx.emit("ElementWiseMultiply", along, ctx.scalar(strides[axis], along))
    return ctx.emit("ElementWiseAdd", along, like(ctx, others, along))


def row_numbers(
    ctx: NodeContext, indices: SSAValue, shape: Sequence[int], batch: int = 0
) -> SSAValue:
    """Return the numbers of the rows that tuples of coordinates name, behind the batch dims.

    The last dim of the indices holds the tuples; a row is what lies behind the dims that they name.
    """
    *front, width = ctx.shape(indices)
    extents = shape[batch : batch + width]
    strides = [prod(extents[dim + 1 :]) for dim in range(width)]
    along = from_front(ctx, indices, np.array(extents))
    along = ctx.emit("ElementWiseMultiply", along, like(ctx, np.array(strides), along))
    numbers = ctx.emit("ReduceSum", along, axes=[len(front)], keep_dims=False)
    if not batch:
        return numbers
    first = np.arange(prod(shape[:batch])) * prod(extents)
    dims = (*shape[:batch], *(1,) * (len(front) - batch))
    return ctx.emit("ElementWiseAdd", numbers, like(ctx, first.reshape(dims), numbers))
