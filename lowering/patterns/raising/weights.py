"""Rules that leave constant weights as stored integers where a product or layer decodes them."""

import numpy as np

from ....dialects.spec_of import Array
from ...rules import (
    ABSENT,
    AND,
    BOUND,
    CONSTVAL_INT,
    DIM_OF,
    DIV,
    EQ,
    GT,
    INPUT_OF,
    INPUTS_OF,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    LET,
    ONE_OF,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    RANK_OF,
    REM,
    SELECT,
    XOR,
    Op,
    OpVarIn,
    gen_ConstFrom,
    gen_ConstScaled,
    gen_ConstTurned,
    gen_ConstTurnedCodes,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, Let, OpForm
from .spellings import alone, any_op, if_bound, plus, same_op

_WEIGHTS = Op("Dequantize", OPCONST("W"))
_IS_MATRIX = AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W"), EQ(RANK_OF("W"), 2))
_WINDOW = ("dilation", "stride", "pads")
_LAYERS = {"Conv2d": ("group", *_WINDOW), "DepthWiseConv2d": _WINDOW}
_CODED = LET("D", Op("DecodeWeights", OPCONST("C"), OPCONST("T"), OPCONST("S"), OPCONST("Z")))


def _product(weights: OpForm | Let) -> OpForm:
    """Match a product with such weights, which may be transposed."""
    return Op("MatMul", "X", ONE_OF(weights, Op("Transpose", weights, "perm")), "T0", "T1")


_IS_PRODUCT = AND(EQ(CONSTVAL_INT("T0", 0), 0), if_bound("perm", EQ(CONSTVAL_INT("perm", 0), 1)))
_TURNS = XOR(EQ(CONSTVAL_INT("T1", 0), 0), BOUND("perm"))
"""The weights of the layer are the product's with their dims exchanged."""


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


@shape_function("scaled_filters")
def scaled_filters(filters: Node, scale: Node) -> Array:
    """Return the filters of a layer whose results are multiplied by a constant."""
    weights, factor = (np.asarray(node.constant) for node in (filters, scale))
    result: Array = weights * (factor if weights.ndim > 2 else factor[:, np.newaxis])
    return result


_FILLS_BYTES = EQ(REM(DIM_OF("D", 0), DIV(DIM_OF("D", 1), DIM_OF("C", 1))), 0)
_STRAIGHT, _TURNED = _whole_rows(0), AND(_whole_rows(1), _FILLS_BYTES)

_NORMED = {
    **_LAYERS,
    "TransposeConv2d": ("extra", "groups", "stride", "pads"),
    "FullyConnected": (),
}
"""The layers that take in a norm, with their params."""
_BEHIND = [
    any_op({name: ("X", OPCONST("W"), *bias, *params) for name, params in _NORMED.items()})
    for bias in ((), (OPCONST("B"),))
]
"""Layers without a bias and with one."""
_FILTERS = SELECT(
    IS_QUANT_TYPE("W"),
    gen_ConstScaled("W", "Scale"),
    gen_ConstFrom(scaled_filters, "W", "Scale"),
)
_BIAS = SELECT(BOUND("B"), gen_ConstFrom(scaled_bias, "B", "Scale", "Offset"), "Offset")

WEIGHTS = rules(
    rule(
        PRE_TRANSLATE,
        _product(_WEIGHTS),
        AND(_IS_MATRIX, _IS_PRODUCT),
        Op("FullyConnected", "X", SELECT(_TURNS, gen_ConstTurned("W"), "W")),
        name="product with stored weights",
    ),
    rule(
        PRE_TRANSLATE,
        OpVarIn("FullyConnected", "X", _WEIGHTS),
        _IS_MATRIX,
        Op("FullyConnected", "X", "W", SELECT(GT(INPUTS_OF("*"), 2), INPUT_OF("*", 2), ABSENT)),
        name="stored weights",
    ),
    rule(
        PRE_TRANSLATE,
        plus(Op("FullyConnected", "X", "W"), OPCONST("B")),
        AND(IS_FLOAT32("*"), EQ(RANK_OF("B"), 1), EQ(DIM_OF("B", 0), DIM_OF("W", 0))),
        Op("FullyConnected", "X", "W", "B"),
        name="bias of a product",
    ),
    rule(
        PRE_TRANSLATE,
        plus(Op("MatMul", "X", OPCONST("W"), "T0", "T1"), OPCONST("B")),
        AND(
            *(IS_FLOAT32("*"), EQ(RANK_OF("X"), 2), EQ(RANK_OF("W"), 2), EQ(RANK_OF("B"), 1)),
            *(EQ(DIM_OF("B", 0), DIM_OF("*", 1)), EQ(CONSTVAL_INT("T0", 0), 0), alone("X")),
        ),
        Op(
            *("FullyConnected", "X"),
            SELECT(EQ(CONSTVAL_INT("T1", 0), 0), gen_ConstTurned("W"), "W"),
            "B",
        ),
        name="product and bias",
    ),
    *(
        rule(
            PRE_TRANSLATE,
            Op(layer, "X", _WEIGHTS, *bias, *params),
            AND(IS_FLOAT32("*"), IS_QUANT_TYPE("W")),
            Op(layer, "X", "W", *(bias or (ABSENT,)), *params),
            name="convolution with stored weights",
        )
        for layer, params in _LAYERS.items()
        for bias in ((), ("B",))
    ),
    rule(
        PRE_TRANSLATE,
        Op("Batchnorm", ONE_OF(*_BEHIND), OPCONST("Scale"), OPCONST("Offset")),
        AND(
            *(IS_FLOAT32("*"), alone("X"), if_bound("groups", EQ(CONSTVAL_INT("groups", 0), 1))),
            OR(IS_FLOAT32("W"), AND(IS_QUANT_TYPE("W"), GT(RANK_OF("W"), 2))),
        ),
        same_op({name: ("X", _FILTERS, _BIAS, *params) for name, params in _NORMED.items()}),
        name="norm behind a layer",
    ),
    rule(
        PRE_TRANSLATE,
        _product(_CODED),
        AND(IS_FLOAT32("*"), _IS_PRODUCT, SELECT(_TURNS, _TURNED, _STRAIGHT)),
        Op(
            *("CodedFullyConnected", "X", SELECT(_TURNS, gen_ConstTurnedCodes("C", "T"), "C"), "T"),
            *(SELECT(_TURNS, gen_ConstTurned(tag), tag) for tag in ("S", "Z")),
        ),
        name="product with coded weights",
    ),
    package=GRAPH,
)
"""A quantised matrix is a quarter of the same in f32, one of codes of 4 bits an eighth."""
