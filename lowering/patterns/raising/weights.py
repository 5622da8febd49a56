"""Products whose constant weights are dequantised: the weights stay as they are stored."""

from __future__ import annotations

from ...rules import (
    AND,
    CONSTVAL_INT,
    DIM_OF,
    EQ,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    OPCONST,
    PRE_TRANSLATE,
    RANK_OF,
    Op,
    gen_ConstTurned,
    rule,
    rules,
)
from ...rules.graph.names import GRAPH
from .parts import alone, plus

_WEIGHTS = Op("Dequantize", OPCONST("W"))
_IS_MATRIX = AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W"), EQ(RANK_OF("W"), 2))

WEIGHTS = rules(
    *(
        rule(
            PRE_TRANSLATE,
            Op("MatMul", "X", _WEIGHTS, "T0", "T1"),
            AND(_IS_MATRIX, EQ(CONSTVAL_INT("T0", 0), 0), EQ(CONSTVAL_INT("T1", 0), turned)),
            Op("FullyConnected", "X", rows),
            name="product with stored weights",
        )
        for turned, rows in ((0, gen_ConstTurned("W")), (1, "W"))
    ),
    *(
        rule(
            PRE_TRANSLATE,
            Op("FullyConnected", "X", _WEIGHTS, *bias),
            _IS_MATRIX,
            Op("FullyConnected", "X", "W", *bias),
            name="stored weights",
        )
        for bias in ((), ("B",))
    ),
    *(
        rule(
            PRE_TRANSLATE,
            plus(Op("MatMul", "X", OPCONST("W"), "T0", "T1"), OPCONST("B")),
            AND(
                *(IS_FLOAT32("*"), EQ(RANK_OF("X"), 2), EQ(RANK_OF("W"), 2), EQ(RANK_OF("B"), 1)),
                *(EQ(DIM_OF("B", 0), DIM_OF("*", 1)), EQ(CONSTVAL_INT("T0", 0), 0)),
                *(EQ(CONSTVAL_INT("T1", 0), turned), alone("X")),
            ),
            Op("FullyConnected", "X", rows, "B"),
            name="product and bias",
        )
        for turned, rows in ((0, gen_ConstTurned("W")), (1, "W"))
    ),
    package=GRAPH,
)
"""A quantised matrix is a quarter of the same in f32, and so are the bytes that a product reads."""
