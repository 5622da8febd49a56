"""Attention, found by its two products with a Softmax between them.

The scores may be scaled, capped and masked on the way; masks are added, or put lowest numbers in
the place of scores. Where a mask of -infinity leaves a query no key, parts give NaN, and the op 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....dialects.value.limits import ANY_KEY
from ...rules import (
    AND,
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
    NE,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    RANK_OF,
    SELECT,
    WITH_SIZE,
    Op,
    Rule,
    external_constraint,
    gen_ConstLike,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr
from .parts import alone, is_scalar, over, plus, times
from .views import ATTENDED, ATTENDED_OF_FOUR, TO_FOUR, TURN, TURNED_TO_FOUR, numbers

NEVER = -1e9
"""A score of this or less has no weight beside any other."""


@dataclass(frozen=True)
class Scores:
    """A spelling of the scores: its words, its pattern, and what the op has for it."""

    name: str
    match: Expr
    asks: tuple[Expr, ...] = ()
    scale: Expr | float = 1.0
    softcap: Expr | float = 0.0
    mask: Expr | str | None = None
    reads: tuple[str, ...] = ()
    """Further values that the pattern reads."""
    safe: bool = False
    """Weights that are no number become 0."""


_RAW = Op("MatMul", "Q", "K", "T0", "T1")
_FACTOR = (IS_SCALAR("S"), NE(CONSTVAL_FLOAT("S", 0), 0.0))
_ONE_OVER = DIV(1.0, CONSTVAL_FLOAT("S", 0))
_SCALED = (
    Scores("plain", _RAW),
    Scores("scaled", times(_RAW, OPCONST("S")), _FACTOR, CONSTVAL_FLOAT("S", 0)),
    Scores("divided", over(_RAW, OPCONST("S")), _FACTOR, _ONE_OVER),
)
_DIVIDED_LAST = Scores(
    "masked, then divided",
    over(plus(_RAW, "M"), OPCONST("S")),
    *(_FACTOR, _ONE_OVER, 0.0, WITH_SIZE("M", over("M", "S")), ("M",)),
)


def _capped(scores: Scores) -> Scores:
    """Return the scores within plus and minus a number."""
    return replace(
        scores,
        name=f"{scores.name}, capped",
        match=times(Op("Tanh", over(scores.match, OPCONST("C"))), "C"),
        asks=(*scores.asks, IS_SCALAR("C"), LE(1e-3, CONSTVAL_FLOAT("C", 0))),
        softcap=CONSTVAL_FLOAT("C", 0),
    )


_NONE = gen_ConstLike(0.0, "Q", gen_Shape(1))
_LOWEST = (IS_SCALAR("Low"), LE(CONSTVAL_FLOAT("Low", 0), NEVER))


def _masked(scores: Scores) -> Iterator[Scores]:
    """Yield the scores with each form of mask, and without."""
    yield scores
    name, match = scores.name, scores.match
    yield replace(scores, name=f"{name}, masked", match=plus(match, "M"), mask="M", reads=("M",))
    for word, first, second in (("chosen", match, "Low"), ("hidden", "Low", match)):
        kept = (_NONE, "Low") if first is match else ("Low", _NONE)
        inputs = (OPCONST("Low") if each == "Low" else each for each in (first, second))
        yield replace(
            scores,
            name=f"{name}, {word}",
            match=Op("ElementWiseSelect", "M", *inputs),
            asks=(*scores.asks, *_LOWEST),
            mask=WITH_SIZE("M", Op("ElementWiseSelect", "M", *kept)),
            reads=("M",),
        )


SCORES = (
    *(
        masked
        for scores in _SCALED
        for each in (scores, _capped(scores))
        for masked in _masked(each)
    ),
    _DIVIDED_LAST,
    Scores("safe", plus(_RAW, "M"), mask="M", reads=("M",), safe=True),
)
"""All spellings of the scores."""


def of_four(tag: str) -> Expr:
    """Take a node of rank 4 as it is, and reshape another."""
    return SELECT(EQ(RANK_OF(tag), 4), tag, TO_FOUR.of(tag, tag))


def attention(scores: Scores) -> Expr:
    """Build the op over queries, keys that stand transposed, and values."""
    turned = TURN.of("K", "K")
    keys = SELECT(EQ(RANK_OF("K"), 4), turned, TURNED_TO_FOUR.of(turned, "K"))
    mask = () if scores.mask is None else (scores.mask,)
    params = (
        *map(gen_ConstScalar_f32, (scores.scale, scores.softcap)),
        *map(gen_ConstScalar_i32, (-ANY_KEY, ANY_KEY)),
    )
    op = Op("Attention", of_four("Q"), keys, of_four("V"), *mask, *params)
    in_rank = ATTENDED.of(ATTENDED_OF_FOUR.sized(op, "Q", "V"), "Q", "V")
    return SELECT(EQ(RANK_OF("Q"), 4), op, in_rank)


def _rule(scores: Scores) -> Rule:
    weights: Expr = Op("Softmax", scores.match, "Axis", "Beta")
    number: tuple[Expr, ...] = ()
    if scores.safe:
        differs = Op("ElementWiseNotEqual", "P", LET("P", weights))
        weights = Op("ElementWiseSelect", differs, OPCONST("Zero"), "P")
        number = (is_scalar("Zero", 0.0),)
    return rule(
        PRE_TRANSLATE + 3,
        Op("MatMul", weights, "V", "T0", "T1"),
        AND(
            *(EQ(CONSTVAL_INT(tag, 0), 0) for tag in ("T0", "T1")),
            OR(IS_FLOAT32("*"), IS_FLOAT16("*")),
            *(CONSTVAL_IS("Beta", 1.0), *scores.asks, *number),
            EXTERNAL_CONSTRAINT(attends, "*", "Q", "K", "V", "Axis"),
            EXTERNAL_CONSTRAINT(turn_pays, "Q", "K"),
            alone("Q", "K", "V", *scores.reads),
        ),
        attention(scores),
        name=f"attention, {scores.name}",
    )


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

CORES = rules(*map(_rule, SCORES), package=GRAPH)
"""A rule for each spelling of the scores."""
