"""The scores of an attention as exporters spell them: scaled, capped and masked on the way.

Masks are added, or put lowest numbers in the place of scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....rules import (
    CONSTVAL_FLOAT,
    DIV,
    IS_SCALAR,
    LE,
    OPCONST,
    Op,
    gen_ConstLike,
    gen_ShapeOf,
)
from ....rules.tree.expr import Expr
from ..parts import (
    is_factor,
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
    reads: tuple[str, ...] = ()
    """Further values that the pattern reads."""
    safe: bool = False
    """Weights that are no number become 0."""


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
    over(plus(_RAW, "M"), OPCONST("S")),
    *(_FACTOR, _ONE_OVER, 0.0, BROADCAST.sized(over("M", "S"), "M", "S"), ("M",)),
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


_NONE = gen_ConstLike(0.0, "Q", gen_ShapeOf("Low"))
_LOWEST = IS_SCALAR("Low"), LE(CONSTVAL_FLOAT("Low", 0), NEVER)


def _masked(scores: Scores) -> Iterator[Scores]:
    """Yield the scores with each form of mask, and without."""
    yield scores
    name, match, low = scores.name, scores.match, OPCONST("Low")
    yield replace(scores, name=f"{name}, masked", match=plus(match, "M"), mask="M", reads=("M",))
    for word, inputs, kept in (
        ("chosen", (match, low), (_NONE, "Low")),
        ("hidden", (low, match), ("Low", _NONE)),
    ):
        yield replace(
            scores,
            name=f"{name}, {word}",
            match=Op("ElementWiseSelect", "M", *inputs),
            asks=(*scores.asks, *_LOWEST),
            mask=BROADCAST.sized(Op("ElementWiseSelect", "M", *kept), "M", "Low"),
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
