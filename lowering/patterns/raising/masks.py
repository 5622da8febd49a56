"""MaskedSoftmax for a softmax behind a mask: numbers to add, or truth values that choose."""

from __future__ import annotations

from ...rules import (
    AND,
    CONSTVAL_FLOAT,
    CONSTVAL_IS,
    DIM_OF,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    IS_INT32,
    IS_SCALAR,
    LE,
    LET,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    WITH_OUTPUT_TYPE,
    WITH_SIZE,
    WITH_TYPE,
    DType,
    Op,
    external_constraint,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .parts import last_dims, minus, plus
from .whole import whole_numbers

BLOCK_OPS = PRE_TRANSLATE - 1
"""The priority of rules that find block ops, which the target takes apart again."""
_FAR = -(1 << 30)
"""The number that masks a column: added to a score below 32, it is the sum."""


@external_constraint("fits_mask")
def fits_mask(data: Node, mask: Node) -> bool:
    """The data has rank 4, and the mask one row for each of its batches."""
    dims = data.shape
    padded = (1,) * (4 - len(mask.shape)) + mask.shape
    return len(dims) == 4 and padded == (dims[0], 1, 1, dims[3])


def _is_masked(mask: str) -> Expr:
    """Ask for a softmax of f32 over the last of four dims, and a mask of its batches."""
    return AND(
        *(IS_FLOAT32("*"), SAME_SHAPE("*", "X"), EXTERNAL_CONSTRAINT(fits_mask, "X", mask)),
        *(last_dims("X", "Axis"), CONSTVAL_IS("Beta", 1.0)),
    )


def _softmax(data: Expr) -> OpForm:
    return Op("Softmax", data, "Axis", "Beta")


def _masked(mask: Expr | str) -> OpForm:
    """Build the op of an i32 mask of any rank."""
    batch, columns = DIM_OF("X", 0), DIM_OF("X", 3)
    rows = Op("Reshape", mask, gen_ConstArr_vals_i32(batch, columns))
    flat = WITH_OUTPUT_TYPE(DType.Int32, 0, 1.0, WITH_SIZE(gen_Shape(batch, columns), rows))
    return Op("MaskedSoftmax", "X", flat, gen_ConstScalar_i32(0))


def _chosen(kept: int, other: int) -> Expr:
    """Build the i32 mask of truth values."""
    numbers = map(gen_ConstScalar_i32, (kept, other))
    dims = gen_Shape(DIM_OF("X", 0), 1, 1, DIM_OF("X", 3))
    return WITH_SIZE(dims, Op("ElementWiseSelect", "K", *numbers))


_IS_FAR = AND(IS_SCALAR("C"), LE(CONSTVAL_FLOAT("C", 0), -10000.0))

MASKED_SOFTMAXES = rules(
    rule(
        BLOCK_OPS,
        _softmax(plus("X", Op("Cast", "M"))),
        AND(IS_INT32("M"), _is_masked("M")),
        _masked("M"),
        name="masked softmax",
    ),
    rule(
        BLOCK_OPS,
        _softmax(plus("X", LET("A", Op("Reshape", Op("Cast", "M"), "S")))),
        AND(IS_INT32("M"), _is_masked("A")),
        _masked("M"),
        name="masked softmax by its body",
    ),
    rule(
        BLOCK_OPS,
        _softmax(plus("X", "M")),
        AND(EXTERNAL_CONSTRAINT(whole_numbers, "M"), _is_masked("M")),
        _masked(WITH_SIZE("M", Op("Cast", "M"))),
        name="softmax with whole numbers",
    ),
    rule(
        BLOCK_OPS,
        _softmax(minus("X", "M")),
        AND(EXTERNAL_CONSTRAINT(whole_numbers, "M"), _is_masked("M")),
        _masked(WITH_SIZE("M", Op("Cast", WITH_TYPE("M", Op("ElementWiseNeg", "M"))))),
        name="softmax less whole numbers",
    ),
    rule(
        BLOCK_OPS,
        _softmax(Op("ElementWiseSelect", "K", "X", OPCONST("C"))),
        AND(_IS_FAR, _is_masked("K")),
        _masked(_chosen(0, _FAR)),
        name="softmax of kept columns",
    ),
    rule(
        BLOCK_OPS,
        _softmax(Op("ElementWiseSelect", "K", OPCONST("C"), "X")),
        AND(_IS_FAR, _is_masked("K")),
        _masked(_chosen(_FAR, 0)),
        name="softmax of columns that are not dropped",
    ),
    package=GRAPH,
)
"""Whole numbers go into the mask as they are. A number in the place of scores does where it is so
low that its power is 0: then only rows that are masked as a whole, by -inf, change, from NaN."""
