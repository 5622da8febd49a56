"""Pass group QNN: a transposed convolution whose windows overlap is a plain one of phases."""

from __future__ import annotations

from ..rules import (
    ADD,
    AND,
    CONSTVAL_INT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_OF,
    DIV,
    EQ,
    LE,
    MUL,
    OPCONST,
    QNN,
    REM,
    SUB,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    gen_ConstLike,
    gen_ConstPhases,
    gen_ConstRepeated,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
)
from .tile_table import SHARED_CHUNK

_DIMS = range(2)
_STEP = tuple(CONSTVAL_INT("stride", dim) for dim in _DIMS)
_TOP = tuple(CONSTVAL_INT("pads", 2 * dim) for dim in _DIMS)
_BACK = tuple(DIV(SUB(DIM_OF("W", dim), 1), _STEP[dim]) for dim in _DIMS)
"""The rows of the input that a row of phases reads beside its own, all before it."""
_FIRST = tuple(DIV(_TOP[dim], _STEP[dim]) for dim in _DIMS)
"""The row of phases that holds the first row of the result, and which of its phases that is."""
_PHASE = tuple(REM(_TOP[dim], _STEP[dim]) for dim in _DIMS)
_ROWS = tuple(
    DIV(SUB(ADD(_PHASE[dim], DIM_OF("*", dim + 1), _STEP[dim]), 1), _STEP[dim]) for dim in _DIMS
)
_READ = tuple(ADD(_BACK[dim], _ROWS[dim]) for dim in _DIMS)

_SIZE = gen_Shape(DIM_BATCHES("In"), *_READ, DIM_DEPTH("In"))
_PADDED = WITH_SIZE(
    _SIZE,
    WITH_TYPE(
        "In",
        Op(
            *("SlicePad_shape", "In"),
            gen_Shape(0, *(SUB(_BACK[dim], _FIRST[dim]) for dim in _DIMS), 0),
            *(gen_Shape(0, 0, 0, 0), _SIZE, gen_ConstScalar_f32(0.0)),
        ),
    ),
)
_PHASES = WITH_SIZE(
    gen_Shape(DIM_BATCHES("In"), *_ROWS, MUL(DIM_DEPTH("*"), *_STEP)),
    Op(
        *("Conv2d", _PADDED),
        gen_ConstPhases("W", gen_Shape(*_STEP), CONSTVAL_INT("group", 0)),
        gen_ConstRepeated("Bias", MUL(*_STEP)),
        gen_ConstLike(1, "stride", gen_ShapeOf("stride")),
        gen_ConstLike(0, "pads", gen_ShapeOf("pads")),
        gen_ConstLike(1, "stride", gen_ShapeOf("stride")),
        "group",
    ),
)
_SPREAD = WITH_SIZE(
    gen_Shape(DIM_BATCHES("In"), *(MUL(_ROWS[d], _STEP[d]) for d in _DIMS), DIM_DEPTH("*")),
    Op("DepthToSpace_shape", _PHASES, gen_Shape(1, *_STEP, 1), gen_ConstScalar_i32(1)),
)

TRANSPOSED_RULES = rules(
    rule(
        QNN,
        Op("TransposeConv2d", "In", OPCONST("W"), OPCONST("Bias"), "stride", "pads", "x", "group"),
        AND(
            *(EQ(REM(SHARED_CHUNK, step), 0) for step in _STEP),
            *(LE(_FIRST[dim], _BACK[dim]) for dim in _DIMS),
        ),
        Op("Slice_shape", _SPREAD, gen_Shape(0, *_PHASE, 0), gen_ShapeOf("*")),
        name="phases of a transposed convolution",
    ),
)
