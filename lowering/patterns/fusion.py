"""Pass groups EARLY to LATE: bias, batch norm and activation move into the op before them."""

from xdsl.ir import SSAValue

from ...dialects.htp import NATIVE_OPS
from ..rules import (
    ADD,
    AND,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_FILTDEPTH,
    DIM_FILTHEIGHT,
    DIM_FILTWIDTH,
    DIM_HEIGHT,
    DIM_NFILTS,
    DIM_WIDTH,
    DIV,
    EARLY,
    EQ,
    EXTERNAL_REPLACE,
    GT,
    INF,
    INT,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    IS_QUINT8,
    LATE,
    LET,
    LT,
    MUL,
    OPCONST,
    OR,
    RANK_OF,
    ROUNDUP,
    SELECT,
    SUB,
    WITH_SAME_OUTPUT,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    OpAnyOrder,
    external_replacement,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
)
from ..rules.graph.env import RELAXED
from ..rules.graph.graph import DEFAULT_PACKAGE, Node
from ..rules.language.constants import scaled
from ..rules.tree.build import Builder, Reference
from ..rules.tree.expr import Arg, Expr
from .conditions import IS_FLOAT, LAYERS, fusible
from .raising.spellings import any_op, by_op, same_op


@external_replacement("scaled_filters")
def scaled_filters(builder: Builder, root: Node) -> Node | SSAValue:
    """Multiply the scales of stored weights, where the product is an encoding of their type."""
    layer, scale, offset = root.inputs
    act, weights, stride, bias = layer.inputs
    array, by = weights.constant, scale.constant
    product = None if array is None or by is None else scaled(array, weights.spec, by)
    if product is None:
        return root
    like = Reference(bias.spec)
    sum_ = builder.native("Mul", [bias.value, scale.value], like)
    sum_ = builder.native("Add", [sum_, offset.value], like)
    inputs = [act.value, builder.const(*product), stride.value, sum_]
    name = layer.name.removeprefix(f"{DEFAULT_PACKAGE}.")
    return builder.native(name, inputs, Reference(root.spec))


_SCALED_BIAS = WITH_SAME_OUTPUT(
    "B", Op("Add", WITH_SAME_OUTPUT("B", Op("Mul", "B", "Scale")), "Offset")
)
_LAYER = any_op(dict.fromkeys(LAYERS, ("A", OPCONST("W"), "S", OPCONST("B"))))
_SCALED = ("A", WITH_SAME_OUTPUT("W", Op("Mul", "W", "Scale")), "S", _SCALED_BIAS)

BATCH_NORMS = rules(
    rule(
        EARLY + 1,
        Op("Batchnorm", LET("C", _LAYER), OPCONST("Scale"), OPCONST("Offset")),
        AND(IS_FLOAT32("*"), OR(IS_FLOAT32("W"), IS_QUANT_TYPE("W")), fusible("C")),
        SELECT(
            IS_QUANT_TYPE("W"),
            EXTERNAL_REPLACE(scaled_filters),
            same_op(dict.fromkeys(LAYERS, _SCALED)),
        ),
    ),
)
"""The weights' last dim is the output channel, so scale and offset broadcast onto them."""


BIASED = {
    **dict.fromkeys(LAYERS, ("A", "W", "S")),
    "FullyConnected": ("A", "W"),
    "CodedFullyConnected": ("A", "W", "T", "S", "Z"),
}
"""Tags of the operands before the bias, by op."""


def is_bias(x: str, b: str) -> Expr:
    """Ask that `b` has one value per channel of `x`."""
    return AND(
        EQ(RANK_OF(x), 4),
        EQ(RANK_OF(b), 4),
        EQ(DIM_DEPTH(x), DIM_DEPTH(b)),
        EQ(DIM_WIDTH(b), 1),
        EQ(DIM_HEIGHT(b), 1),
        EQ(DIM_BATCHES(b), 1),
    )


def sum_of(a: str, b: str | Expr) -> Expr:
    """Build a + b with a's own shape and type, which folds where both are constants."""
    return WITH_SAME_OUTPUT(a, Op("Add", a, b))


def _biased(bias: Expr) -> dict[str, tuple[Arg, ...]]:
    """Return the operands of every op of `BIASED`, with this bias."""
    return {name: (*inputs, bias) for name, inputs in BIASED.items()}


BIASES = rules(
    rule(EARLY, OpAnyOrder("Add", "X", OPCONST("B")), is_bias("X", "B"), Op("BiasAdd", "X", "B")),
    rule(
        EARLY + 1,
        Op("BiasAdd", LET("C", Op("Conv2d_valid", "A", "W", "S")), "B"),
        fusible("C"),
        Op("ConvLayer_valid", "A", "W", "S", "B"),
    ),
    rule(
        EARLY + 1,
        Op("BiasAdd", LET("C", any_op(_biased(OPCONST("B0")))), OPCONST("B")),
        AND(IS_FLOAT32("*"), fusible("C")),
        same_op(_biased(sum_of("B0", "B"))),
    ),
    rule(
        EARLY + 1,
        Op("BiasAdd", LET("C", Op("FullyConnected", "A", "W", OPCONST("B0"))), OPCONST("B")),
        AND(IS_FLOAT16("*"), fusible("C")),
        Op("FullyConnected", "A", "W", sum_of("B", WITH_TYPE("B", Op("Cast", "B0")))),
        flags=[RELAXED],
    ),
)
"""In f16 a bias joins a product with one rounding less, so with relaxed precision alone."""

_ZERO, _INFINITE = gen_ConstScalar_f32(0.0), gen_ConstScalar_f32(INF)
_CLAMPED = {
    name: (*inputs, "B") for name, inputs in BIASED.items() if f"{name}.clamp" in NATIVE_OPS
}
"""Operands of the ops that have a form with a clamp."""

ACTIVATIONS = rules(
    *(
        rule(
            EARLY + 2,
            Op(activation, LET("C", any_op(_CLAMPED)), *bounds),
            fusible("C"),
            by_op(
                {
                    name: Op(f"{name}.clamp", *inputs, *(bounds or (_ZERO, _INFINITE)))
                    for name, inputs in _CLAMPED.items()
                }
            ),
        )
        for activation, bounds in (("Relu", ()), ("Clamp", ("Min", "Max")))
    ),
    rule(
        EARLY + 2,
        Op("Gelu", LET("C", Op("FullyConnected", "A", "W", "B"))),
        AND(fusible("C"), IS_FLOAT),
        Op("FullyConnected.gelu", "A", "W", "B"),
    ),
)

_COLUMNS = ROUNDUP(
    MUL(DIM_FILTHEIGHT("Weights"), DIM_FILTWIDTH("Weights"), DIM_FILTDEPTH("Weights")), 32
)

IM2COL = rules(
    rule(
        LATE,
        Op("ConvLayer_valid", "Act", "Weights", "Stride", "Bias"),
        AND(
            IS_QUINT8("Act"),
            IS_QUINT8("Weights"),
            EQ(DIM_HEIGHT("Stride"), 2),
            EQ(DIM_WIDTH("Stride"), 2),
            LT(INT(DIM_DEPTH("Act")), 4),
            GT(INT(DIM_NFILTS("Weights")), 31),
        ),
        Op(
            "ConvLayer_valid",
            WITH_TYPE(
                "Act",
                WITH_SIZE(
                    gen_Shape(
                        DIM_BATCHES("Act"),
                        ADD(1, DIV(SUB(DIM_HEIGHT("Act"), DIM_FILTHEIGHT("Weights")), 2)),
                        ADD(1, DIV(SUB(DIM_WIDTH("Act"), DIM_FILTWIDTH("Weights")), 2)),
                        _COLUMNS,
                    ),
                    Op("ConvLayer.opt.im2col_stride2", "Act", gen_ShapeOf("Weights")),
                ),
            ),
            WITH_TYPE(
                "Weights",
                WITH_SIZE(
                    gen_Shape(1, 1, _COLUMNS, DIM_NFILTS("Weights")),
                    Op("ConvLayer.opt.weights_for_im2col", "Weights"),
                ),
            ),
            gen_Shape(1, 1, 1, 1),
            "Bias",
        ),
    ),
)
"""A stride-2 convolution of few channels as a pointwise one over gathered windows.

Source: QNN HTP op package documentation, implementing ops, "More Complex Optimization Rule".
"""

FUSION_RULES = BIASES + BATCH_NORMS + ACTIVATIONS + IM2COL
