"""Steps that importers share: pieces and margins of a tensor by dim."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..support.context import NodeContext

Range = tuple[int, int, int]
"""Begin, end and step; with a negative step the end -1 stands for before element 0."""


def piece(ctx: NodeContext, x: SSAValue, ranges: dict[int, Range]) -> SSAValue:
    """Return what the ranges take of their dims; the other dims stay whole."""
    whole = [(0, size, 1) for size in ctx.shape(x)]
    taken = [ranges.get(axis, one) for axis, one in enumerate(whole)]
    if taken == whole:
        return x
    return ctx.emit("StridedSlice", x, ranges=[number for one in taken for number in one])


def flipped(ctx: NodeContext, x: SSAValue, axis: int) -> SSAValue:
    """Return the data with the elements of one dim from last to first."""
    return piece(ctx, x, {axis: (ctx.shape(x)[axis] - 1, -1, -1)})


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
    return ctx.emit("Pad", x, pad_amount=amounts, pad_constant_value=value)
