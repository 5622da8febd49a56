"""Softmax and LogSoftmax, by their exponentials, with and without the maximum taken away."""

from __future__ import annotations

from ...rules import (
    AND,
    CONSTVAL_INT,
    EQ,
    IS_FLOAT16,
    IS_FLOAT32,
    LET,
    ONE_OF,
    PRE_TRANSLATE,
    Op,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.names import GRAPH
from .parts import IS_REAL, alone, fits, minus, one_axis, over

_BELOW = minus("X", Op("ReduceMax", "X", "Axes", "Keep"))
_POWER = Op("ElementWiseExp", ONE_OF(_BELOW, "X"))
_ONE = gen_ConstScalar_f32(1.0)
_AXIS = gen_ConstScalar_i32(CONSTVAL_INT("Axes", 0))
_ALONG_ONE = AND(
    *(IS_REAL, EQ(CONSTVAL_INT("Keep", 0), 1), one_axis("Axes"), fits("X", "Axes"), alone("X"))
)

SOFTMAXES = rules(
    rule(
        PRE_TRANSLATE + 1,
        over(LET("P", _POWER), Op("ReduceSum", "P", "Axes", "Keep")),
        _ALONG_ONE,
        Op("Softmax", "X", _AXIS, _ONE),
        name="softmax",
    ),
    rule(
        PRE_TRANSLATE + 1,
        minus(
            LET("Z", _BELOW),
            Op("ElementWiseLog", Op("ReduceSum", Op("ElementWiseExp", "Z"), "Axes", "Keep")),
        ),
        _ALONG_ONE,
        Op("LogSoftmax", "X", _AXIS, _ONE),
        name="log softmax",
    ),
    rule(
        PRE_TRANSLATE + 2,
        Op("ElementWiseLog", Op("Softmax", "X", "Axis", "Beta")),
        AND(IS_REAL, alone("X")),
        Op("LogSoftmax", "X", "Axis", "Beta"),
        name="log of softmax",
    ),
    rule(
        PRE_TRANSLATE + 2,
        Op("Cast", LET("P", Op("Softmax", Op("Cast", "X"), "Axis", "Beta"))),
        AND(IS_FLOAT16("*"), IS_FLOAT16("X"), IS_FLOAT32("P"), alone("X")),
        Op("Softmax", "X", "Axis", "Beta"),
        name="softmax between casts",
    ),
    package=GRAPH,
)
"""Taking the maximum away first changes no result but those that overflow without it."""
