"""Attention of some queries reads the keys that one of them attends to, and no others.

Tiles of a causal attention so leave out what is above the diagonal: half of all keys and values.
"""

from ..rules import (
    ADD,
    AND,
    AUTOSPLIT_SLICE,
    CONSTVAL_INT,
    DIM_OF,
    EQ,
    GT,
    LT,
    MAX,
    MIDDLE,
    MIN,
    OR,
    SUB,
    Op,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ..rules.graph.types import INT_MIN
from ..rules.tree.expr import Expr

_PARAMS = "scale", "softcap", "first", "last"
_FIRST, _LAST = CONSTVAL_INT("first", 0), CONSTVAL_INT("last", 0)
_BEGIN = MAX(_FIRST, 0)
_END = MIN(ADD(DIM_OF("*", 2), _LAST), DIM_OF("k", 2))


def _reached(name: str) -> Expr:
    """Slice the keys or values that one of the queries attends to."""
    size = (DIM_OF(name, 0), DIM_OF(name, 1), SUB(_END, _BEGIN), DIM_OF(name, 3))
    return AUTOSPLIT_SLICE(name, gen_Shape(0, 0, _BEGIN, 0), gen_Shape(*size))


ATTENTION_RULES = rules(
    rule(
        MIDDLE,
        Op("Attention", "q", "k", "v", "mask", *_PARAMS),
        AND(
            *(GT(bound, INT_MIN) for bound in (_FIRST, _LAST)),
            GT(_END, _BEGIN),
            OR(GT(_BEGIN, 0), LT(_END, DIM_OF("k", 2))),
            # Elsewhere these keys, or the mask's columns, are not a run of bytes but a copy.
            *(EQ(DIM_OF(name, dim), 1) for name in ("k", "v") for dim in (0, 1)),
            EQ(DIM_OF("mask", 3), 1),
        ),
        Op(
            *("Attention", "q", _reached("k"), _reached("v"), "mask", "scale", "softcap"),
            *(gen_ConstScalar_i32(SUB(bound, _BEGIN)) for bound in (_FIRST, _LAST)),
        ),
        name="keys in reach",
    ),
)
