"""Pass group QNN: raw native ops, as a graph adds them, become the ops that the core runs."""

from ...dialects.htp import CORE_OF, NATIVE_OPS
from ...dialects.value import DType
from ..rules import (
    ADD,
    AND,
    CONSTVAL_INT,
    CONSTVAL_INT_VALID,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    DIV,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    LT,
    MAX,
    MUL,
    NEG_INF,
    NOT,
    OK,
    OPCONST,
    OR,
    QNN,
    REM,
    SAME_ENCODING,
    SAME_SHAPE,
    SELECT,
    SHAPEFN_APPLY,
    SUB,
    WITH_OUTPUT_TYPE,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    gen_ConstArr_f32,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
)
from ..rules.definition.rule import Rule
from ..rules.tree.expr import Expr
from .conditions import IS_FLOAT, is_large, runs_over
from .places import places_along

NO_PADS = AND(*(EQ(CONSTVAL_INT("pads", i), 0) for i in range(4)))
PLAIN_TAPS = AND(
    *(OR(EQ(CONSTVAL_INT("dilation", dim), 1), EQ(DIM_OF("W", dim), 1)) for dim in (0, 1))
)
IS_REAL = OR(IS_FLOAT32("In"), IS_FLOAT16("In"), IS_QUANT_TYPE("In"))
"""Minus infinity is below every number of such a type, or saturates to its least."""
FLOOR = EQ(CONSTVAL_INT("rounding", 0), 0)


def spatially_padded(value: Expr, *least: Expr) -> Expr:
    """`In` with `pads` (top, bottom, left, right) of the given scalar around height and width.

    At the bottom and right as many more as make height and width the `least` ones.
    """
    top, bottom, left, right = (CONSTVAL_INT("pads", i) for i in range(4))
    height, width = ADD(DIM_HEIGHT("In"), top, bottom), ADD(DIM_WIDTH("In"), left, right)
    if least:
        height, width = MAX(height, least[0]), MAX(width, least[1])
    size = gen_Shape(DIM_BATCHES("In"), height, width, DIM_DEPTH("In"))
    padded = Op(
        "SlicePad_shape", "In", gen_Shape(0, top, left, 0), gen_Shape(0, 0, 0, 0), size, value
    )
    return WITH_SIZE(size, WITH_TYPE("In", padded))


def pair_shape(tag: str) -> Expr:
    """A (height, width) param as the shape 1 x height x width x 1."""
    return gen_Shape(1, CONSTVAL_INT(tag, 0), CONSTVAL_INT(tag, 1), 1)


def range_part(part: int) -> Expr:
    """Column `part` of a StridedSlice's ranges (begin, end, stride) as a shape."""
    return gen_Shape(*(CONSTVAL_INT("ranges", 3 * dim + part) for dim in range(4)))


RENAMES = rules(
    *(
        rule(QNN, Op(raw, *NATIVE_OPS[raw].OPERANDS), OK, Op(core, *NATIVE_OPS[core].OPERANDS))
        for raw, core in CORE_OF.items()
    ),
    rule(QNN, Op("ReluMinMax", "A", "Min", "Max"), OK, Op("Clamp", "A", "Min", "Max")),
)

CONVOLUTIONS = rules(
    rule(
        QNN,
        Op("Conv2d", "In", "W", "Bias", "stride", "pads", "dilation", "group"),
        AND(PLAIN_TAPS, EQ(CONSTVAL_INT("group", 0), 1)),
        Op(
            "ConvLayer_valid",
            spatially_padded(gen_ConstScalar_f32(0.0)),
            "W",
            pair_shape("stride"),
            "Bias",
        ),
    ),
    rule(
        QNN,
        Op("TransposeConv2d", "In", "W", "Bias", "stride", "pads", "extra", "group"),
        AND(
            *(EQ(CONSTVAL_INT("stride", i), DIM_OF("W", i)) for i in range(2)),
            *(EQ(CONSTVAL_INT("extra", i), 0) for i in range(2)),
            NO_PADS,
            EQ(CONSTVAL_INT("group", 0), 1),
        ),
        Op("TransposeConvLayer_valid", "In", "W", pair_shape("stride"), "Bias"),
    ),
    rule(
        QNN,
        Op("DepthWiseConv2d", "In", "W", "Bias", "stride", "pads", "dilation"),
        PLAIN_TAPS,
        Op(
            "DepthwiseConvLayer_valid",
            spatially_padded(gen_ConstScalar_f32(0.0)),
            "W",
            pair_shape("stride"),
            "Bias",
        ),
    ),
)

_WINDOW = CONSTVAL_INT("window", 0), CONSTVAL_INT("window", 1)
_COVERED = tuple(
    ADD(MUL(SUB(DIM_OF("*", dim + 1), 1), CONSTVAL_INT("stride", dim)), window)
    for dim, window in enumerate(_WINDOW)
)
"""The extents that the windows of a pool cover; the last may hang over the padding."""

POOLS = rules(
    rule(
        QNN,
        Op("PoolMax2d", "In", "window", "stride", "pads", "rounding"),
        OR(IS_REAL, AND(FLOOR, NO_PADS)),
        Op(
            "MaxPool_valid",
            spatially_padded(gen_ConstScalar_f32(NEG_INF), *_COVERED),
            pair_shape("window"),
            pair_shape("stride"),
        ),
    ),
    rule(
        QNN,
        Op("PoolAvg2d", "In", "window", "stride", "pads", "rounding", "counts"),
        AND(
            IS_REAL, NO_PADS, *map(EQ, _WINDOW, (DIM_HEIGHT("In"), DIM_WIDTH("In"))), is_large("In")
        ),
        Op("ReduceMean", "In", gen_ConstArr_vals_i32(1, 2)),
        name="mean over a large image",
    ),
    rule(
        QNN,
        Op("PoolAvg2d", "In", "window", "stride", "pads", "rounding", "counts"),
        AND(FLOOR, OR(NO_PADS, EQ(CONSTVAL_INT("counts", 0), 1))),
        Op(
            "AvgPool_valid",
            spatially_padded(gen_ConstScalar_f32(0.0)),
            pair_shape("window"),
            pair_shape("stride"),
        ),
    ),
)


def _in_f32(kind: str, widen: str, narrow: str, condition: Expr) -> Rule:
    """Make the rule by which a large image is summed in f32: parts of it are not rounded."""
    wide = WITH_OUTPUT_TYPE(DType.Float32, 0, 1.0, Op(widen, "In"))
    total = Op(f"Reduce{kind}", WITH_SIZE(gen_ShapeOf("In"), wide), "Axes")
    apart = (NOT(EXTERNAL_CONSTRAINT(runs_over, "Axes", dim)) for dim in (0, 3))
    return rule(
        QNN + 1,
        Op(f"Reduce{kind}", "In", "Axes"),
        AND(condition, is_large("In"), *apart),
        Op(narrow, WITH_OUTPUT_TYPE(DType.Float32, 0, 1.0, total)),
        name=f"Reduce{kind} of a large image by {widen}",
    )


SUMS = rules(
    *(
        _in_f32(kind, *types)
        for kind in ("Sum", "Mean")
        for types in (
            ("Dequantize", "Quantize", IS_QUANT_TYPE("In")),
            ("Cast", "Cast", IS_FLOAT16("In")),
        )
    )
)

SLICES = rules(
    rule(
        QNN,
        Op("StridedSlice", "In", "ranges"),
        AND(*(EQ(CONSTVAL_INT("ranges", 3 * dim + 2), 1) for dim in range(4))),
        Op("Slice_shape", "In", range_part(0), gen_ShapeOf("*")),
    ),
    rule(
        QNN,
        Op("Pad", "In", "pads", "Value"),
        OK,
        Op(
            "SlicePad_shape",
            "In",
            gen_Shape(*(CONSTVAL_INT("pads", 2 * dim) for dim in range(4))),
            gen_Shape(0, 0, 0, 0),
            gen_ShapeOf("*"),
            "Value",
        ),
    ),
    rule(
        QNN + 1,
        Op("SlicePad_shape", "In", "Before", "Start", "Size", "Value"),
        AND(
            SAME_SHAPE("*", "In"),
            *(EQ(DIM_OF(tag, dim), 0) for tag in ("Before", "Start") for dim in range(4)),
        ),
        "In",
    ),
)

_GROWTH = tuple(DIV(DIM_OF("*", dim), DIM_OF("In", dim)) for dim in (1, 2))
_GROWS = AND(*(EQ(REM(DIM_OF("*", dim), DIM_OF("In", dim)), 0) for dim in (1, 2)))
"""Both extents grow by whole factors."""
_REPEATS = OR(
    AND(LT(CONSTVAL_INT("place", 0), 2), LT(CONSTVAL_INT("nearest", 0), 2)),
    AND(EQ(CONSTVAL_INT("place", 0), 3), EQ(CONSTVAL_INT("nearest", 0), 2)),
)
"""Half pixels and the nearest one, or from the left edge and the one before."""


def _places(dim: int) -> Expr:
    """The places along a dim, as numbers from which those of a tile follow."""
    modes = CONSTVAL_INT("place", 0), CONSTVAL_INT("interpolation", 0)
    return SHAPEFN_APPLY(places_along, DIM_OF("In", dim), DIM_OF("*", dim), *modes)


IMAGES = rules(
    rule(
        QNN,
        Op("Resize", "In", "size", "interpolation", "place", "nearest", "outside", "cubic"),
        AND(
            *(EQ(CONSTVAL_INT("interpolation", 0), 0), SAME_ENCODING("*", "In")),
            *(_REPEATS, _GROWS),
        ),
        Op("ResizeNearestNeighbor_shape", "In", gen_Shape(1, *_GROWTH, 1)),
    ),
    rule(
        QNN,
        Op("Resize", "In", "size", "interpolation", "place", "nearest", "outside", "cubic"),
        OK,
        Op(
            "Resize_places",
            "In",
            *map(_places, (1, 2)),
            *("interpolation", "nearest", "outside", "cubic"),
        ),
    ),
    *(
        rule(
            QNN,
            Op(name, "In", "block", "mode"),
            IS_REAL,
            Op(f"{name}_shape", "In", pair_shape("block"), "mode"),
        )
        for name in ("DepthToSpace", "SpaceToDepth")
    ),
)

_IS_MATRIX = AND(EQ(DIM_BATCHES("W"), 1), EQ(DIM_HEIGHT("W"), 1))
_TURNED = WITH_SIZE(
    gen_Shape(1, 1, DIM_DEPTH("W"), DIM_WIDTH("W")),
    WITH_TYPE("W", Op("Transpose", "W", gen_ConstArr_vals_i32(0, 1, 3, 2))),
)

MATMULS = rules(
    rule(
        QNN,
        Op("MatMul", "In", OPCONST("W"), "T0", "T1"),
        AND(EQ(CONSTVAL_INT("T0", 0), 0), CONSTVAL_INT_VALID("T1", 0), _IS_MATRIX, IS_FLOAT),
        Op(
            *("FullyConnected", "In"),
            SELECT(EQ(CONSTVAL_INT("T1", 0), 0), _TURNED, "W"),
            gen_ConstArr_f32(0.0, DIM_DEPTH("*")),
        ),
    ),
)

QNN_RULES = RENAMES + CONVOLUTIONS + POOLS + SUMS + SLICES + IMAGES + MATMULS
