"""The weights of an attention as exporters spell them: scores that are scaled, capped and masked.

Masks are added, or put lowest numbers in the place of scores: then a bias may be added before.
Weights may be filled with 0 where the scores were low, or where they are no number.
"""

from __future__ import annotations

from functools import partial
from math import inf

from ....rules import (
    ABSENT,
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_IS,
    DIV,
    IS_SCALAR,
    LE,
    LET,
    NOT,
    OK,
    ONE_OF,
    OPCONST,
    OR,
    SELECT,
    Op,
    gen_ConstLike,
    gen_ShapeOf,
)
from ....rules.tree.expr import Expr
from ..parts import if_bound, is_factor, is_scalar, over, plus, times
from ..views import BROADCAST

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
    if_bound("Zero", AND(BOUND("B"), NOT(BOUND("M")))),
    *(CONSTVAL_IS("Beta", 1.0), IS_FACTOR, if_bound("Last", is_factor("Last"))),
    if_bound("C", AND(is_factor("C"), LE(1e-3, CONSTVAL_FLOAT("C", 0)))),
    SELECT(BOUND("M"), AND(IS_SCALAR(_LOW), _IS_LOW), OK),
    *(if_bound(zero, is_scalar(zero, 0.0)) for zero in ("Zero", "ZeroElse", "ZeroThen")),
)
"""Numbers are low enough, and 0 takes the place of the same weights."""

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
