"""Pass group QNN: convolutions in groups, and those whose taps are spaced, as cores run them."""

from __future__ import annotations

from ..rules import (
    AND,
    AUTOSPLIT,
    AUTOSPLIT_SLICE,
    CONSTVAL_INT,
    DIM_DEPTH,
    DIM_OF,
    DIV,
    EXTERNAL_CONSTRAINT,
    GE,
    GT,
    LE,
    MAX,
    MUL,
    NOT,
    OPCONST,
    OR,
    QNN,
    SPLIT_SIZE,
    SPLIT_START,
    TYPICAL_SLICE,
    Op,
    gen_ConstBlocks,
    gen_ConstLike,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ..rules.tree.expr import Expr
from .conditions import scales_stay
from .qnn import NO_PADS, PLAIN_TAPS, spatially_padded
from .tile_table import DEPTH_CHUNK, D

_PARAMS = ("stride", "pads", "dilation", "group")
_GROUPS = CONSTVAL_INT("group", 0)
_IN_GROUPS = GT(_GROUPS, 1)
_EACH = DIV(DIM_DEPTH("*"), _GROUPS)
"""The filters of a group."""
_PART = MUL(_EACH, MAX(1, DIV(DEPTH_CHUNK, DIM_OF("W", 2))))
"""The filters of as many groups as read the channels of one crouton."""
_LARGEST_DENSE = 1 << 16
"""Elements of a dense filter up to which a convolution in groups has one."""
_DENSE = MUL(_GROUPS, *(DIM_OF("W", dim) for dim in range(4)))
_MAY_BE_DENSE = OR(LE(_DENSE, _LARGEST_DENSE), GE(_PART, DIM_DEPTH("*")))
_NONE = gen_ConstLike(0, "pads", gen_Shape(1, 1, 2, 2))


def _of_group(number: Expr) -> Expr:
    """From a number of filters that of the channels which their groups read."""
    return MUL(DIV(number, _EACH), DIM_OF("W", 2))


GROUP_RULES = rules(
    rule(
        QNN,
        Op("Conv2d", "In", OPCONST("W"), "Bias", *_PARAMS),
        AND(_IN_GROUPS, _MAY_BE_DENSE),
        Op(
            *("Conv2d", "In", gen_ConstBlocks("W", _GROUPS, 0, DIM_DEPTH("*")), "Bias"),
            *(*_PARAMS[:-1], gen_ConstScalar_i32(1)),
        ),
        name="dense filter of groups",
    ),
    rule(
        QNN,
        Op("Conv2d", "In", OPCONST("W"), "Bias", *_PARAMS),
        AND(
            *(_IN_GROUPS, NOT(_MAY_BE_DENSE), NO_PADS),
            EXTERNAL_CONSTRAINT(scales_stay, "*", D, "In", D),
        ),
        AUTOSPLIT(
            D,
            "I",
            _PART,
            Op(
                "Conv2d",
                AUTOSPLIT_SLICE(
                    "In",
                    gen_Shape(0, 0, 0, _of_group(SPLIT_START("I"))),
                    gen_Shape(*(DIM_OF("In", dim) for dim in range(3)), _of_group(SPLIT_SIZE("I"))),
                ),
                gen_ConstBlocks("W", _GROUPS, SPLIT_START("I"), SPLIT_SIZE("I")),
                TYPICAL_SLICE("Bias", "I"),
                *(*_PARAMS[:-1], gen_ConstScalar_i32(1)),
            ),
        ),
        name="groups apart",
    ),
    *(
        rule(
            QNN,
            Op(name, "In", "W", "Bias", *params),
            AND(NOT(NO_PADS), condition),
            Op(
                *(name, spatially_padded(gen_ConstScalar_f32(0.0)), "W", "Bias"),
                *(_NONE if param == "pads" else param for param in params),
            ),
            name="padding apart",
        )
        for name, params, condition in (
            ("Conv2d", _PARAMS, OR(NOT(PLAIN_TAPS), AND(_IN_GROUPS, NOT(_MAY_BE_DENSE)))),
            ("DepthWiseConv2d", _PARAMS[:-1], NOT(PLAIN_TAPS)),
        )
    ),
)
"""Convolutions in groups become dense ones; what is spaced has no padding of its own."""
