"""MaskedSoftmax for a softmax behind a mask: numbers to add, or truth values that choose.

The bounds of values that are whole numbers follow from the constants around them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

import numpy as np

from ....dialects.value import DType
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
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .spellings import is_scalar, last_dims, minus, plus

Bounds = tuple[int, int]
"""The least and the largest number."""

EXACT = 1 << 24
"""The whole numbers up to here are numbers of f32; beyond it sums and products may round."""
_LARGEST = (1 << 31) - 1
"""The largest number of i32."""

_INTEGERS: dict[DType, Bounds] = {
    DType.Bool8: (0, 1),
    DType.Int8: (-(1 << 7), (1 << 7) - 1),
    DType.UInt8: (0, (1 << 8) - 1),
    DType.Int16: (-(1 << 15), (1 << 15) - 1),
    DType.UInt16: (0, (1 << 16) - 1),
}
"""The bounds of integers that are within EXACT whatever their values are."""


@external_constraint("whole_numbers")
def whole_numbers(node: Node) -> bool:
    """The values are whole numbers, by the constants and the casts that they come from."""
    return bounds(node) is not None


def bounds(node: Node) -> Bounds | None:
    """Return the bounds of a value's whole numbers; None where it may hold others."""
    return _within(_LARGEST, _INTEGERS.get(node.spec.dtype) or _bounds_of_op(node))


def _within(limit: int, known: Bounds | None) -> Bounds | None:
    return known if known and max(map(abs, known)) <= limit else None


def _bounds_of_op(node: Node) -> Bounds | None:
    array = node.constant
    if array is not None:
        whole = array.size > 0 and bool(np.all(np.isfinite(array) & (array == np.rint(array))))
        return (int(array.min()), int(array.max())) if whole else None
    name = node.name.partition(".")[2]
    if name not in _OPS:
        return None
    parts, combined = _OPS[name]
    inputs = [bounds(node.inputs[part]) for part in parts]
    known = [each for each in inputs if each is not None]
    return combined(known) if len(known) == len(inputs) else None


def _union(parts: Sequence[Bounds]) -> Bounds:
    return min(low for low, _ in parts), max(high for _, high in parts)


def _opposite(parts: Sequence[Bounds]) -> Bounds:
    ((low, high),) = parts
    return -high, -low


def _sum(parts: Sequence[Bounds]) -> Bounds | None:
    return _within(EXACT, (sum(low for low, _ in parts), sum(high for _, high in parts)))


def _difference(parts: Sequence[Bounds]) -> Bounds | None:
    left, right = parts
    return _sum([left, _opposite([right])])


def _product(parts: Sequence[Bounds]) -> Bounds | None:
    left, right = parts
    ends = [a * b for a in left for b in right]
    # A product with -1, 0 or 1 does not round.
    is_unit = any(_within(1, part) for part in parts)
    return _within(_LARGEST if is_unit else EXACT, (min(ends), max(ends)))


_OPS: dict[str, tuple[tuple[int, ...], Callable[[Sequence[Bounds]], Bounds | None]]] = {
    "Cast": ((0,), _union),
    "ElementWiseAdd": ((0, 1), _sum),
    "ElementWiseMultiply": ((0, 1), _product),
    "ElementWiseNeg": ((0,), _opposite),
    "ElementWiseSelect": ((1, 2), _union),
    "ElementWiseSubtract": ((0, 1), _difference),
    "Reshape": ((0,), _union),
    "Transpose": ((0,), _union),
}
"""Ops that make whole numbers of whole numbers: the inputs that count, and their bounds as one."""


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
    _apart(
        ONE_OF(_SUMMAND, "A"),
        SELECT(BOUND("M"), IS_INT32("M"), EXTERNAL_CONSTRAINT(whole_numbers, "A")),
        *(_SUM, "attention with a mask"),
    ),
    _apart(
        LET("A", ONE_OF(_CHOICE(_OPEN, OPCONST("Else")), _CHOICE(OPCONST("Then"), _OPEN))),
        AND(is_scalar("Open", 0.0), _IS_LOW, LT(-inf, CONSTVAL_FLOAT(_LOW, 0))),
        lambda scores: SELECT(BOUND("Else"), _CHOICE(scores, "Else"), _CHOICE("Then", scores)),
        "attention with kept columns",
    ),
    package=GRAPH,
)
"""Whole numbers go into the mask unchanged. A number that replaces scores does where it is so
low that its power is 0: then only rows that are masked as a whole, by -inf, change, from NaN.
An Attention gives 0 for such rows, so one with -inf stays."""
