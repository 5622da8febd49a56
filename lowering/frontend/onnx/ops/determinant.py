"""Det: Gaussian elimination with partial pivoting, one row and column after the other.

A matrix of n rows takes n steps of some fifteen ops. For example [[0, 2], [3, 4]]: row 1 has the
largest first element, 3, so the rows change places; 2 - 4 * 0 / 3 is left, and the determinant is
-(3 * 2) = -6. Source: ONNX operator spec.
"""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.spec_of import plain_element_type, spec_of
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .activation import plus, times
from .norm import divided_where_not_zero
from .tensors.steps import concat, piece

ONNX = ImporterSet(keeps_stored=False)

MOST_ROWS = 128
"""Rows of a matrix, at most."""


@ONNX.importer("Det")
def determinant(ctx: NodeContext) -> list[SSAValue]:
    """Det of matrices [..., n, n]."""
    x = ctx.value(0)
    ctx.require(len(ctx.shape(x)) >= 2, f"input 0 has rank {len(ctx.shape(x))}, not 2 or more")
    *front, rows, columns = ctx.shape(x)
    ctx.require(rows == columns, f"its matrices have {rows} rows and {columns} columns")
    ctx.require(1 <= rows <= MOST_ROWS, f"its matrices have {rows} rows, not 1 to {MOST_ROWS}")
    rest, factors = ctx.reshape(x, (prod(front), rows, rows)), []
    for left in range(rows, 0, -1):
        chosen, pivot_row = _pivot(ctx, rest)
        factors.append(piece(ctx, pivot_row, {2: (0, 1, 1)}))
        if left > 1:
            # The first row takes the pivot's place: that turns the sign unless it is the pivot's.
            stays = piece(ctx, chosen, {1: (0, 1, 1)})
            twice = times(ctx, stays, ctx.scalar(2, x))
            factors.append(ctx.emit("ElementWiseSubtract", twice, ctx.scalar(1, x)))
            rest = _eliminated(ctx, rest, chosen, pivot_row)
    product = ctx.emit("ReduceProd", concat(ctx, factors, axis=1), axes=[1, 2])
    return [ctx.reshape(product, front)]


def _pivot(ctx: NodeContext, rest: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return the place of the row with the largest first element, and that row.

    The place is a column of zeros with a one: [count, n, 1].
    """
    size = ctx.emit("ElementWiseAbs", piece(ctx, rest, {2: (0, 1, 1)}))
    place = ctx.emit("Argmax", size, axis=1, keep_dims=True)
    numbers = ctx.const(np.arange(ctx.shape(rest)[1], dtype=np.int32)[:, None])
    alike = ctx.emit("ElementWiseEqual", place, numbers)
    chosen = ctx.emit("Cast", alike, to=plain_element_type(spec_of(rest).dtype))
    return chosen, ctx.emit("ReduceSum", times(ctx, rest, chosen), axes=[1], keep_dims=True)


def _eliminated(
    ctx: NodeContext, rest: SSAValue, chosen: SSAValue, pivot_row: SSAValue
) -> SSAValue:
    """Return what is left without the pivot's row and the first column."""
    count = ctx.shape(rest)[1]
    top = piece(ctx, rest, {1: (0, 1, 1)})
    change = times(ctx, chosen, ctx.emit("ElementWiseSubtract", top, pivot_row))
    rest = piece(ctx, plus(ctx, rest, change), {1: (1, count, 1)})
    # Where the pivot is 0, so is the column: nothing is to be taken off.
    pivot, column = (piece(ctx, value, {2: (0, 1, 1)}) for value in (pivot_row, rest))
    share = divided_where_not_zero(ctx, column, pivot)
    rest = ctx.emit("ElementWiseSubtract", rest, times(ctx, share, pivot_row))
    return piece(ctx, rest, {2: (1, count, 1)})
