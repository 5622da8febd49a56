"""The scores of an attention as exporters spell them: scaled, capped and masked on the way.

Masks are added, or put lowest numbers in the place of scores: then a bias may be added before.
Weights may be filled with 0 where the scores were low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf

from ....rules import (
    AND,
    CONSTVAL_FLOAT,
    DIV,
    IS_SCALAR,
    LE,
    LET,
    OPCONST,
    Op,
    gen_ConstLike,
    gen_ShapeOf,
)
from ....rules.tree.expr import Expr
from ..parts import (
    is_factor,
    is_scalar,
    over,
    plus,
    times,
)
from ..views import BROADCAST

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
    mask_of: tuple[str, ...] = ()
    """Values whose dims the mask has, broadcast."""
    reads: tuple[str, ...] = ()
    """Further values that the pattern reads."""
    weights: Callable[[Expr], Expr] = lambda softmax: softmax
    """Gives the pattern of the weights from that of the Softmax."""


_RAW = Op("MatMul", "Q", "K", "T0", "T1")
_FACTOR = (is_factor("S"),)
_ONE_OVER = DIV(1.0, CONSTVAL_FLOAT("S", 0))
_SCALED = (
    Scores("plain", _RAW),
    Scores("scaled", times(_RAW, OPCONST("S")), _FACTOR, CONSTVAL_FLOAT("S", 0)),
    Scores("divided", over(_RAW, OPCONST("S")), _FACTOR, _ONE_OVER),
)
_DIVIDED_LAST = Scores(
    "masked, then divided",
    over(plus(_RAW, "B"), OPCONST("S")),
    *(_FACTOR, _ONE_OVER, 0.0, BROADCAST.sized(over("B", "S"), "B", "S")),
    mask_of=("B", "S"),
    reads=("B",),
)


def _capped(scores: Scores) -> Scores:
    """Return the scores within plus and minus a number."""
    return replace(
        scores,
        name=f"{scores.name}, capped",
        match=times(Op("Tanh", over(scores.match, OPCONST("C"))), "C"),
        asks=(*scores.asks, is_factor("C"), LE(1e-3, CONSTVAL_FLOAT("C", 0))),
        softcap=CONSTVAL_FLOAT("C", 0),
    )


_FILLS: tuple[tuple[str, int, Callable[[Expr], Expr]], ...] = (
    ("chosen", 1, lambda softmax: Op("ElementWiseSelect", "M", softmax, OPCONST("Zero"))),
    ("hidden", -1, lambda softmax: Op("ElementWiseSelect", "M", OPCONST("Zero"), softmax)),
)
"""Of a Select that keeps a score, or hides it: the order of inputs, and the same of the weights."""
_NONE = gen_ConstLike(0.0, "Q", gen_ShapeOf("Low"))
_CLOSED = gen_ConstLike(-inf, "Q", gen_ShapeOf("Low"))
_LOWEST = AND(IS_SCALAR("Low"), LE(CONSTVAL_FLOAT("Low", 0), NEVER))
_LOW = AND(IS_SCALAR("Low"), LE(CONSTVAL_FLOAT("Low", 0), -1e4), is_scalar("Zero", 0.0))
"""Asks of scores that are filled twice: their own weights become 0 by the second Select, so that
-10000 suffices: exp(-10000) adds 0 to the sum of the others, down to scores of -9800."""


def _biased(scores: Scores) -> Scores:
    """Return the scores with a number added to each."""
    return replace(
        scores,
        name=f"{scores.name}, masked",
        match=plus(scores.match, "B"),
        mask="B",
        mask_of=("B",),
        reads=("B",),
    )


def _filled(scores: Scores, twice: bool = False) -> Iterator[Scores]:
    """Yield the scores with low numbers in the place of some: of those not kept, or hidden.

    Where the weights are filled with 0 afterwards, a query may have no key.
    """
    low, kept = OPCONST("Low"), scores.mask or _NONE
    closed, asks = (_CLOSED, _LOW) if twice else ("Low", _LOWEST)
    for word, turn, zeroed in _FILLS:
        mask = Op("ElementWiseSelect", "M", *(kept, closed)[::turn])
        yield replace(
            scores,
            name=f"{scores.name}, {word}{' twice' if twice else ''}",
            match=Op("ElementWiseSelect", "M", *(scores.match, low)[::turn]),
            asks=(*scores.asks, asks),
            mask=BROADCAST.sized(mask, "M", "Low", *scores.mask_of),
            reads=("M", *scores.reads),
            weights=zeroed if twice else scores.weights,
        )


def _masked(scores: Scores) -> Iterator[Scores]:
    """Yield the scores with each form of mask, and without."""
    yield scores
    yield _biased(scores)
    yield from _filled(scores)


def _without_nan(softmax: Expr) -> Expr:
    """Return the pattern of weights with 0 in the place of those that are no number."""
    differs = Op("ElementWiseNotEqual", "P", LET("P", softmax))
    return Op("ElementWiseSelect", differs, OPCONST("Zero"), "P")


_BIASED = (*map(_biased, _SCALED), _DIVIDED_LAST)
_FACTORED = (each for scores in _SCALED for each in (scores, _capped(scores)))
SCORES = (
    *(masked for scores in _FACTORED for masked in _masked(scores)),
    _DIVIDED_LAST,
    *(filled for scores in _BIASED for filled in _filled(scores)),
    *(filled for scores in (*_SCALED, *_BIASED) for filled in _filled(scores, twice=True)),
    replace(_biased(_SCALED[0]), name="safe", weights=_without_nan, asks=(is_scalar("Zero", 0.0),)),
)
"""All spellings of the scores."""
