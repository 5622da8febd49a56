"""MaskedSoftmax for a softmax behind a mask: numbers to add, or truth values that choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from ....dialects.value.limits import ANY_KEY
from ...rules import (
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    DIM_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    IS_INT32,
    IS_SCALAR,
    LE,
    LET,
    LT,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    WITH_OUTPUT_TYPE,
    WITH_SIZE,
    WITH_TYPE,
    DType,
    Op,
    Rule,
    external_constraint,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .parts import is_scalar, last_dims, minus, plus
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


@external_constraint("attends_columns")
def attends_columns(q: Node, k: Node, mask: Node) -> bool:
    """The mask has one row for each batch of queries, and keys have their heads, or one for all."""
    padded = (1,) * (4 - len(mask.shape)) + mask.shape
    return padded == (q.shape[0], 1, 1, k.shape[2]) and k.shape[1] in (1, q.shape[1])


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


_NUMBERS = Op("Cast", "M")
_SUMMAND = LET("A", ONE_OF(_NUMBERS, Op("Reshape", _NUMBERS, "_dims")))
_CHOICE = partial(Op, "ElementWiseSelect", "K")
_SUM = partial(Op, "ElementWiseAdd", "A")
_OPEN = OPCONST("Open")
_LOW = SELECT(BOUND("Else"), "Else", "Then")
_IS_LOW = AND(IS_SCALAR(_LOW), LE(CONSTVAL_FLOAT(_LOW, 0), -10000.0))


def _apart(mask: Expr | str, asked: Expr, masked: Callable[[Expr], Expr], name: str) -> Rule:
    """Take an Attention with such a mask apart, so that its softmax is looked at."""
    scores = gen_Shape(*(DIM_OF("Q", dim) for dim in range(3)), DIM_OF("Keys", 2))
    product = Op("MatMul", "Q", "Keys", *map(gen_ConstScalar_i32, (0, 1)))
    factor = gen_ConstScalar_f32(CONSTVAL_FLOAT("Scale", 0))
    scaled = WITH_SIZE(scores, Op("ElementWiseMultiply", WITH_SIZE(scores, product), factor))
    params = gen_ConstScalar_i32(3), gen_ConstScalar_f32(1.0)
    return rule(
        BLOCK_OPS,
        Op("Attention", "Q", "Keys", "V", mask, "Scale", "Cap", "First", "Last"),
        AND(
            *(IS_FLOAT32("*"), CONSTVAL_IS("Cap", 0.0), asked),
            *(EQ(CONSTVAL_INT("First", 0), -ANY_KEY), EQ(CONSTVAL_INT("Last", 0), ANY_KEY)),
            EXTERNAL_CONSTRAINT(attends_columns, "Q", "Keys", "A"),
        ),
        Op(
            "MatMul",
            WITH_SIZE(scores, Op("Softmax", WITH_SIZE(scores, masked(scaled)), *params)),
            "V",
            *map(gen_ConstScalar_i32, (0, 0)),
        ),
        name=name,
    )


MASKED_SOFTMAXES = rules(
    rule(
        BLOCK_OPS,
        _softmax(plus("X", _SUMMAND)),
        AND(IS_INT32("M"), _is_masked("A")),
        _masked("M"),
        name="masked softmax",
    ),
    rule(
        BLOCK_OPS,
        _softmax(ONE_OF(plus("X", "M"), LET("Less", minus("X", "M")))),
        AND(EXTERNAL_CONSTRAINT(whole_numbers, "M"), _is_masked("M")),
        _masked(
            WITH_SIZE(
                "M",
                Op("Cast", SELECT(BOUND("Less"), WITH_TYPE("M", Op("ElementWiseNeg", "M")), "M")),
            )
        ),
        name="softmax with whole numbers",
    ),
    rule(
        BLOCK_OPS,
        _softmax(ONE_OF(_CHOICE("X", OPCONST("Else")), _CHOICE(OPCONST("Then"), "X"))),
        AND(_IS_LOW, _is_masked("K")),
        _masked(SELECT(BOUND("Else"), _chosen(0, _FAR), _chosen(_FAR, 0))),
        name="softmax of kept columns",
    ),
    _apart(_SUMMAND, IS_INT32("M"), _SUM, "attention with a mask"),
    _apart("A", EXTERNAL_CONSTRAINT(whole_numbers, "A"), _SUM, "attention with whole numbers"),
    _apart(
        LET("A", ONE_OF(_CHOICE(_OPEN, OPCONST("Else")), _CHOICE(OPCONST("Then"), _OPEN))),
        AND(is_scalar("Open", 0.0), _IS_LOW, LT(-inf, CONSTVAL_FLOAT(_LOW, 0))),
        lambda scores: SELECT(BOUND("Else"), _CHOICE(scores, "Else"), _CHOICE("Then", scores)),
        "attention with kept columns",
    ),
    package=GRAPH,
)
"""Whole numbers go into the mask as they are. A number in the place of scores does where it is so
low that its power is 0: then only rows that are masked as a whole, by -inf, change, from NaN.
An Attention gives 0 for such rows, so one with -inf stays."""
