"""Attention, found by its two products with a Softmax between them, and RotaryEmbedding.

Scores are scaled, capped and masked on the way as exporters spell it. Masks are added, or replace
scores by lowest numbers: then a bias may be added before. Weights may be filled with 0 where the
scores were low, or where the weights are NaN.

Where a mask of -infinity leaves a query no key, the parts give NaN, and the op 0.
"""

from functools import partial
from math import inf

import numpy as np

from ....dialects.spec_of import Array
from ....dialects.value.limits import ANY_KEY
from ...rules import (
    ABSENT,
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    DIV,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_SCALAR,
    LE,
    LET,
    OK,
    ONE_OF,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    RANK_OF,
    SELECT,
    Op,
    Rule,
    external_constraint,
    gen_ConstFrom,
    gen_ConstLike,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_ShapeOf,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .cells import part_of, span
from .spellings import IS_REAL, alone, if_bound, is_factor, is_scalar, minus, over, plus, times
from .views import ATTENDED, ATTENDED_OF_FOUR, BROADCAST, TO_FOUR, TURN, TURNED_TO_FOUR, numbers

NEVER = -1e9
"""A score of this or less has no weight beside any other."""
_NEVER_OF_TWICE = -1e4
"""The same of scores whose weights a second Select makes 0: -10000 suffices, as exp(-10000) adds 0
to the sum of the others, down to scores of -9800."""
_choice = partial(Op, "ElementWiseSelect")


def with_factor(data: Expr | str) -> tuple[Expr, Expr]:
    """Match data times or over a constant."""
    return times(data, OPCONST("S")), over(data, OPCONST("D"))


IS_FACTOR = AND(*(if_bound(tag, is_factor(tag)) for tag in "SD"))
FACTOR = SELECT(BOUND("S"), CONSTVAL_FLOAT("S", 0), DIV(1.0, CONSTVAL_FLOAT("D", 0)))
"""The number that the data is multiplied by."""

_RAW = Op("MatMul", "Q", "K", "T0", "T1")
_SCALED = ONE_OF(_RAW, *with_factor(_RAW))
_CAPPED = times(Op("Tanh", over(_SCALED, OPCONST("C"))), "C")
_NUMBERS = ONE_OF(_SCALED, _CAPPED)
_BIASED = ONE_OF(_NUMBERS, plus(_NUMBERS, "B"), over(plus(_RAW, "B"), OPCONST("Last")))
_MASKED = ONE_OF(
    _BIASED, _choice("M", _BIASED, OPCONST("Else")), _choice("M", OPCONST("Then"), _BIASED)
)
_SOFTMAX = Op("Softmax", _MASKED, "Axis", "Beta")
WEIGHTS = ONE_OF(
    _SOFTMAX,
    _choice("M", _SOFTMAX, OPCONST("ZeroElse")),
    _choice("M", OPCONST("ZeroThen"), _SOFTMAX),
    _choice(Op("ElementWiseNotEqual", "P", LET("P", _SOFTMAX)), OPCONST("Zero"), "P"),
)
"""All spellings of the weights."""

_IS_FILLED_TWICE = OR(BOUND("ZeroElse"), BOUND("ZeroThen"))
_LOW = SELECT(BOUND("Else"), "Else", "Then")
_IS_LOW = LE(CONSTVAL_FLOAT(_LOW, 0), SELECT(_IS_FILLED_TWICE, _NEVER_OF_TWICE, NEVER))
ARE_WEIGHTS = AND(
    *(if_bound(f"Zero{place}", BOUND(place)) for place in ("Else", "Then")),
    *(CONSTVAL_IS("Beta", 1.0), IS_FACTOR, if_bound("Last", is_factor("Last"))),
    if_bound("C", AND(is_factor("C"), LE(1e-3, CONSTVAL_FLOAT("C", 0)))),
    SELECT(BOUND("M"), AND(IS_SCALAR(_LOW), _IS_LOW), OK),
    *(if_bound(zero, is_scalar(zero, 0.0)) for zero in ("Zero", "ZeroElse", "ZeroThen")),
)
"""Scores are filled with a number that is low enough, weights with 0 where their scores are."""

_DIVIDED_LAST = DIV(1.0, CONSTVAL_FLOAT("Last", 0))
_FACTOR_IF_ANY = SELECT(OR(BOUND("S"), BOUND("D")), FACTOR, 1.0)
SCALE = SELECT(BOUND("Last"), _DIVIDED_LAST, _FACTOR_IF_ANY)
SOFTCAP = SELECT(BOUND("C"), CONSTVAL_FLOAT("C", 0), 0.0)

_BIAS = SELECT(BOUND("Last"), BROADCAST.sized(over("B", "Last"), "B", "Last"), "B")
_OPEN = SELECT(BOUND("B"), _BIAS, gen_ConstLike(0.0, "Q", gen_ShapeOf(_LOW)))
_CLOSED = SELECT(_IS_FILLED_TWICE, gen_ConstLike(-inf, "Q", gen_ShapeOf(_LOW)), _LOW)
"""The number at scores that are replaced; a query may have no key if the weights are 0 there."""
_ALTERED = SELECT(BOUND("Else"), _choice("M", _OPEN, _CLOSED), _choice("M", _CLOSED, _OPEN))
MASK = SELECT(
    BOUND("M"),
    BROADCAST.sized(_ALTERED, "M", *(SELECT(BOUND(tag), tag, _LOW) for tag in ("B", "Last"))),
    SELECT(BOUND("B"), _BIAS, ABSENT),
)
"""The numbers that are added to the scores; ABSENT without any."""


def of_four(tag: str) -> Expr:
    """Take a node of rank 4 unchanged, and reshape another."""
    return SELECT(EQ(RANK_OF(tag), 4), tag, TO_FOUR.of(tag, tag))


def _attention() -> Expr:
    """Build the op over queries, keys that stand transposed, and values."""
    turned = TURN.of("K", "K")
    keys = SELECT(EQ(RANK_OF("K"), 4), turned, TURNED_TO_FOUR.of(turned, "K"))
    params = (
        *map(gen_ConstScalar_f32, (SCALE, SOFTCAP)),
        *map(gen_ConstScalar_i32, (-ANY_KEY, ANY_KEY)),
    )
    op = Op("Attention", of_four("Q"), keys, of_four("V"), MASK, *params)
    in_rank = ATTENDED.of(ATTENDED_OF_FOUR.sized(op, "Q", "V"), "Q", "V")
    return SELECT(EQ(RANK_OF("Q"), 4), op, in_rank)


@external_constraint("attends")
def attends(out: Node, q: Node, k: Node, v: Node, axis: Node) -> bool:
    """The weights go along the keys, and q, k and v have the dims of an Attention.

    q[b, h, m, e], k[b, g, e, n], v[b, g, n, d], where g is h or 1; or both without b, or b and h.
    """
    rank = len(q.shape)
    if not 2 <= rank <= 4 or {len(k.shape), len(v.shape)} != {rank}:
        return False
    heads = {q.shape[:-2], (*q.shape[:-3], 1) if rank == 4 else q.shape[:-2]}
    return (
        [each % rank for each in numbers(axis)] == [rank - 1]
        and k.shape[:-2] == v.shape[:-2]
        and k.shape[:-2] in heads
        and k.shape[-1] == v.shape[-2]
        and out.shape == (*q.shape[:-1], v.shape[-1])
    )


@external_constraint("turn_pays")
def turn_pays(q: Node, k: Node) -> bool:
    """Turning the keys moves no more than the scores of the queries would, or costs nothing.

    It costs nothing where a transposition stands in front, behind a factor or a Reshape.
    """
    if q.shape[-2] >= q.shape[-1]:
        return True
    while k.name in _BETWEEN:
        k = next((each for each in k.inputs if each.constant is None), k.inputs[0])
    return k.name == f"{GRAPH}.Transpose"


_BETWEEN = tuple(f"{GRAPH}.{op}" for op in ("ElementWiseMultiply", "ElementWiseDivide", "Reshape"))

CORES = rules(
    rule(
        PRE_TRANSLATE + 3,
        Op("MatMul", WEIGHTS, "V", "T0", "T1"),
        AND(
            *(EQ(CONSTVAL_INT(tag, 0), 0) for tag in ("T0", "T1")),
            OR(IS_FLOAT32("*"), IS_FLOAT16("*")),
            ARE_WEIGHTS,
            EXTERNAL_CONSTRAINT(attends, "*", "Q", "K", "V", "Axis"),
            EXTERNAL_CONSTRAINT(turn_pays, "Q", "K"),
            alone("Q", "K", "V", perhaps=("B", "M")),
        ),
        _attention(),
        name="attention",
    ),
    package=GRAPH,
)
"""Attention in every spelling of its weights."""


@external_constraint("are_halves")
def are_halves(data: Node, first: Node, second: Node, axis: Node) -> bool:
    """Two parts are the halves of the data's last dim, which the axis is."""
    depth = data.shape[-1]
    last = [each % len(data.shape) for each in numbers(axis)] == [len(data.shape) - 1]
    halves = (0, depth // 2), (depth // 2, depth)
    return last and depth % 2 == 0 and (span(first), span(second)) == halves


@external_constraint("are_rows_of")
def are_rows_of(node: Node, other: Node) -> bool:
    """The last dims of two views of one tensor are equal: both have the same rows."""
    return node.shape[-1:] == other.shape[-1:]


@external_constraint("are_neighbours")
def are_neighbours(data: Node, even: Node, odd: Node, pairs: Node, *angles: Node) -> bool:
    """Two slices are the even and the odd numbers of the data's last dim, and join as pairs.

    There is an angle for each pair.
    """
    *front, depth = data.shape
    if depth % 2 or any(angle.shape[-1:] != (depth // 2,) for angle in angles):
        return False
    whole = tuple(number for extent in front for number in (0, extent, 1))
    ranges = [numbers(part.inputs[1]) for part in (even, odd)]
    starts = [(*range_[:-2], range_[-1]) for range_ in ranges]
    joined = [pairs.inputs[0].shape, pairs.shape]
    return starts == [(*whole, start, 2) for start in (0, 1)] and (
        joined == [(*front, depth // 2, count) for count in (1, 2)]
    )


@shape_function("each_twice")
def each_twice(angles: Node) -> Array:
    """Return a constant with each number of its last dim twice in a row."""
    if angles.constant is None:
        raise TypeError(f"{angles.name} is no constant")
    return np.repeat(angles.constant, 2, axis=-1)


def _turned(data: str, source: Expr | str) -> OpForm:
    """Match the halves of the last dim exchanged, the one that comes first times -1."""
    negative = Op("ElementWiseNeg", LET("Second", part_of(source, "second")))
    return Op("Concat", negative, LET("First", part_of(data, "first")), "Axis")


def _halves(data: Expr | str, turned: Expr, source: str, asks: Expr) -> Rule:
    return rule(
        PRE_TRANSLATE + 1,
        plus(times(data, "Cos"), times(turned, "Sin")),
        AND(IS_REAL, EXTERNAL_CONSTRAINT(are_halves, source, "First", "Second", "Axis"), asks),
        Op("RotaryEmbedding", "X", "Cos", "Sin", gen_ConstScalar_i32(0)),
        name="rotary embedding",
    )


_VIEWS = {name: LET(name, Op("Reshape", "In", f"_{name}")) for name in ("X", "Y")}
"""The data where dims of one moved: each product has a Reshape of its own."""
_TURNED_VIEW = Op("Reshape", _turned("Y", _VIEWS["Y"]), "_back")
_EVEN, _ODD = (LET(name, Op("StridedSlice", "X", f"_{name}")) for name in ("Even", "Odd"))
_REAL = minus(times(_EVEN, OPCONST("Cos")), times(_ODD, OPCONST("Sin")))
_IMAGINARY = plus(times("Even", "Sin"), times("Odd", "Cos"))
_PAIRS = Op("Concat", Op("Reshape", _REAL, "_real"), Op("Reshape", _IMAGINARY, "_turned"), "_axis")

ROTARIES = rules(
    _halves("X", _turned("X", "X"), "X", alone("X", "Cos", "Sin")),
    _halves(
        _VIEWS["X"],
        _TURNED_VIEW,
        "Y",
        AND(EXTERNAL_CONSTRAINT(are_rows_of, "X", "Y"), alone("In", "Cos", "Sin")),
    ),
    rule(
        PRE_TRANSLATE + 1,
        Op("Reshape", LET("Pairs", _PAIRS), "_dims"),
        AND(
            IS_REAL,
            EXTERNAL_CONSTRAINT(are_neighbours, "X", "Even", "Odd", "Pairs", "Cos", "Sin"),
            alone("X"),
        ),
        Op(
            "RotaryEmbedding",
            "X",
            *(gen_ConstFrom(each_twice, angle) for angle in ("Cos", "Sin")),
            gen_ConstScalar_i32(1),
        ),
        name="rotary embedding of neighbours",
    ),
    package=GRAPH,
)
"""Rotations of pairs of numbers, as language models turn queries and keys."""
