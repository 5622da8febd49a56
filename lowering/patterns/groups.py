"""Pass group QNN: convolutions in groups, spaced and transposed ones, as cores run them."""

from ..rules import (
    ADD,
    AND,
    AUTOSPLIT,
    AUTOSPLIT_SLICE,
    CONSTVAL_INT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_OF,
    DIV,
    EQ,
    EXTERNAL_CONSTRAINT,
    GE,
    GT,
    LE,
    LT,
    MAX,
    MUL,
    NOT,
    OPCONST,
    OR,
    QNN,
    REM,
    SELECT,
    SHAPEFN_APPLY,
    SPLIT_SIZE,
    SPLIT_START,
    SUB,
    TYPICAL_SLICE,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    gen_ConstBlocks,
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
from ..rules.tree.expr import Expr
from .conditions import scales_stay
from .qnn import NO_PADS, PLAIN_TAPS, spatially_padded
from .taps import first_taps, pads_of_taps, reads_padding_alone, size_of_taps
from .tile_table import DEPTH_CHUNK, SHARED_CHUNK, D

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


_WINDOW = ("In", "W", *_PARAMS[:-1], DIM_OF("*", 1), DIM_OF("*", 2))
_READING = SHAPEFN_APPLY(size_of_taps, *_WINDOW)
_TAKES = Op("Slice_shape", "W", SHAPEFN_APPLY(first_taps, *_WINDOW), _READING)

TAP_RULES = rules(
    *(
        rule(
            QNN - 1,
            Op(name, "In", OPCONST("W"), "Bias", *map(OPCONST, params[:3]), *params[3:]),
            EXTERNAL_CONSTRAINT(reads_padding_alone, *_WINDOW),
            Op(
                *(name, "In", WITH_SIZE(_READING, WITH_TYPE("W", _TAKES)), "Bias", "stride"),
                *(SHAPEFN_APPLY(pads_of_taps, *_WINDOW), *params[2:]),
            ),
            name="taps that read padding alone",
        )
        for name, params in (("Conv2d", _PARAMS), ("DepthWiseConv2d", _PARAMS[:-1]))
    ),
)
"""Windows larger than the image: the filters have no more taps than read a part of it."""

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

_STEP = tuple(CONSTVAL_INT("stride", d) for d in (0, 1))
_TOP = tuple(CONSTVAL_INT("pads", 2 * d) for d in (0, 1))
_BACK = tuple(DIV(SUB(DIM_OF("W", d), 1), _STEP[d]) for d in (0, 1))
"""The rows of the input that a row of phases reads beside its own, all before it."""
_ABOVE, _PHASE = tuple(map(DIV, _TOP, _STEP)), tuple(map(REM, _TOP, _STEP))
"""The rows of phases above the result, and the phase in which it begins."""
_ROWS = tuple(DIV(ADD(_PHASE[d], DIM_OF("*", d + 1), _STEP[d], -1), _STEP[d]) for d in (0, 1))
_READ = gen_Shape(DIM_BATCHES("In"), *map(ADD, _ROWS, _BACK), DIM_DEPTH("In"))
_BEFORE = gen_Shape(0, *map(SUB, _BACK, _ABOVE), 0)
_PADDING = (_BEFORE, gen_Shape(0, 0, 0, 0), _READ, gen_ConstScalar_f32(0.0))
_ONES = gen_ConstLike(1, "stride", gen_Shape(1, 1, 1, 2))
_PHASES = Op(
    *("Conv2d", WITH_SIZE(_READ, WITH_TYPE("In", Op("SlicePad_shape", "In", *_PADDING)))),
    gen_ConstPhases("W", gen_Shape(*_STEP), _GROUPS),
    *(gen_ConstRepeated("Bias", MUL(*_STEP)), _ONES, _NONE, _ONES, "group"),
)
_SPREAD = Op(
    "DepthToSpace_shape",
    WITH_SIZE(gen_Shape(DIM_BATCHES("In"), *_ROWS, MUL(DIM_DEPTH("*"), *_STEP)), _PHASES),
    *(gen_Shape(1, *_STEP, 1), gen_ConstScalar_i32(1)),
)
_WHOLE = gen_Shape(DIM_BATCHES("In"), *map(MUL, _ROWS, _STEP), DIM_DEPTH("*"))

TRANSPOSED_RULES = rules(
    rule(
        QNN,
        Op("TransposeConv2d", "In", OPCONST("W"), OPCONST("Bias"), "stride", "pads", "x", "group"),
        AND(
            *(EQ(REM(SHARED_CHUNK, step), 0) for step in _STEP),
            *map(LE, _ABOVE, _BACK),
        ),
        Op("Slice_shape", WITH_SIZE(_WHOLE, _SPREAD), gen_Shape(0, *_PHASE, 0), gen_ShapeOf("*")),
        name="phases of a transposed convolution",
    ),
)
"""Windows that overlap: a convolution with an output for each place in the stride, spread out."""

_SIDES = tuple(DIM_OF("W", d) for d in (0, 1))
_IN_PATCHES = AND(
    NOT(_IN_GROUPS),
    *(NO_PADS, PLAIN_TAPS, GT(MUL(*_SIDES), 1), LT(DIM_DEPTH("In"), DEPTH_CHUNK)),
    *(EQ(CONSTVAL_INT("stride", d), side) for d, side in enumerate(_SIDES)),
)
_COVERED = gen_Shape(
    DIM_BATCHES("In"),
    *(MUL(DIM_OF("*", d + 1), side) for d, side in enumerate(_SIDES)),
    DIM_DEPTH("In"),
)
_TAKEN = Op("Slice_shape", "In", gen_Shape(0, 0, 0, 0), _COVERED)
_ALL = SELECT(
    AND(*(EQ(REM(DIM_OF("In", d + 1), side), 0) for d, side in enumerate(_SIDES))),
    "In",
    WITH_SIZE(_COVERED, WITH_TYPE("In", _TAKEN)),
)
_TAPS = MUL(*_SIDES, DIM_DEPTH("In"))
_STACKED = Op("SpaceToDepth_shape", _ALL, gen_Shape(1, *_SIDES, 1), gen_ConstScalar_i32(0))
_PATCHES = gen_Shape(DIM_BATCHES("In"), DIM_OF("*", 1), DIM_OF("*", 2), _TAPS)
_FLAT = WITH_SIZE(gen_Shape(1, 1, _TAPS, DIM_DEPTH("*")), WITH_TYPE("W", Op("Reshape", "W")))

PATCH_RULES = rules(
    rule(
        QNN - 1,
        Op("Conv2d", "In", OPCONST("W"), "Bias", *_PARAMS),
        _IN_PATCHES,
        Op(
            *("Conv2d", WITH_SIZE(_PATCHES, WITH_TYPE("In", _STACKED)), _FLAT, "Bias"),
            *(_ONES, "pads", "dilation", "group"),
        ),
        name="convolution of patches",
    ),
)
"""Windows side by side, of few channels: the depth is padded once for a patch, not for a pixel."""
