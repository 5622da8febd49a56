"""Products and layers whose constant weights are dequantised: they stay as they are stored."""

from __future__ import annotations

import numpy as np

from ....dialects.dense import Array
from ...rules import (
    ABSENT,
    AND,
    CONSTVAL_INT,
    DIM_OF,
    DIV,
    EQ,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    LET,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    RANK_OF,
    REM,
    Op,
    gen_ConstFrom,
    gen_ConstScaled,
    gen_ConstTurned,
    gen_ConstTurnedCodes,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, Let, OpForm
from .parts import alone, plus

_WEIGHTS = Op("Dequantize", OPCONST("W"))
_IS_MATRIX = AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W"), EQ(RANK_OF("W"), 2))
_WINDOW = ("stride", "pads", "dilation")
_LAYERS = (("Conv2d", (*_WINDOW, "group")), ("DepthWiseConv2d", _WINDOW))
_CODED = LET("D", Op("DecodeWeights", OPCONST("C"), OPCONST("T"), OPCONST("S"), OPCONST("Z")))


def _products(weights: OpForm | Let) -> tuple[tuple[OpForm, Expr, bool], ...]:
    """List the products with such weights, their conditions, and whether the weights turn."""
    straight = EQ(CONSTVAL_INT("T0", 0), 0)
    turned = EQ(CONSTVAL_INT("perm", 0), 1)
    first, second = (EQ(CONSTVAL_INT("T1", 0), flag) for flag in (0, 1))
    behind = Op("Transpose", weights, "perm")
    return (
        (Op("MatMul", "X", weights, "T0", "T1"), AND(straight, first), True),
        (Op("MatMul", "X", weights, "T0", "T1"), AND(straight, second), False),
        (Op("MatMul", "X", behind, "T0", "T1"), AND(straight, turned, first), False),
        (Op("MatMul", "X", behind, "T0", "T1"), AND(straight, turned, second), True),
    )


def _whole_rows(dim: int) -> Expr:
    """Ask that no block has parts of several outputs, which are along this dim."""
    rows = (EQ(DIM_OF(tag, dim), part) for tag in "SZ" for part in (1, DIM_OF("D", dim)))
    scales, same_scales, zeros, same_zeros = rows
    return AND(OR(scales, same_scales), OR(zeros, same_zeros))


@shape_function("scaled_bias")
def scaled_bias(bias: Node, scale: Node, offset: Node) -> Array:
    """Return the bias of a layer whose results are multiplied by one constant and added to one."""
    first, factor, second = (np.asarray(node.constant) for node in (bias, scale, offset))
    result: Array = first * factor + second
    return result


_FILLS_BYTES = EQ(REM(DIM_OF("D", 0), DIV(DIM_OF("D", 1), DIM_OF("C", 1))), 0)
_STRAIGHT, _TURNED = _whole_rows(0), AND(_whole_rows(1), _FILLS_BYTES)

WEIGHTS = rules(
    *(
        rule(
            PRE_TRANSLATE,
            product,
            AND(_IS_MATRIX, condition),
            Op("FullyConnected", "X", gen_ConstTurned("W") if turns else "W"),
            name="product with stored weights",
        )
        for product, condition, turns in _products(_WEIGHTS)
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
    rule(
        PRE_TRANSLATE,
        plus(Op("FullyConnected", "X", "W"), OPCONST("B")),
        AND(IS_FLOAT32("*"), EQ(RANK_OF("B"), 1), EQ(DIM_OF("B", 0), DIM_OF("W", 0))),
        Op("FullyConnected", "X", "W", "B"),
        name="bias of a product",
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
    *(
        rule(
            PRE_TRANSLATE,
            Op(layer, "X", _WEIGHTS, *bias, *params),
            AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W")),
            Op(layer, "X", "W", *(bias or (ABSENT,)), *params),
            name="convolution with stored weights",
        )
        for layer, params in _LAYERS
        for bias in ((), ("B",))
    ),
    *(
        rule(
            PRE_TRANSLATE,
            Op(
                "Batchnorm",
                Op(layer, "X", OPCONST("W"), *bias, *params),
                *(OPCONST("Scale"), OPCONST("Offset")),
            ),
            AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W"), alone("X")),
            Op(layer, "X", gen_ConstScaled("W", "Scale"), offset, *params),
            name="norm behind stored weights",
        )
        for layer, params in _LAYERS
        for bias, offset in (
            ((), "Offset"),
            ((OPCONST("B"),), gen_ConstFrom(scaled_bias, "B", "Scale", "Offset")),
        )
    ),
    *(
        rule(
            PRE_TRANSLATE,
            product,
            AND(IS_FLOAT32("*"), condition, _TURNED if turns else _STRAIGHT),
            Op(
                "CodedFullyConnected",
                "X",
                gen_ConstTurnedCodes("C", "T") if turns else "C",
                "T",
                *((gen_ConstTurned(tag) if turns else tag) for tag in ("S", "Z")),
            ),
            name="product with coded weights",
        )
        for product, condition, turns in _products(_CODED)
    ),
    package=GRAPH,
)
"""A quantised matrix is a quarter of the same in f32, one of codes of 4 bits an eighth."""
