"""Rules that change what a graph computes, each in a way that people get wrong."""

import numpy as np
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    AUTOSPLIT,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    DIM_DEPTH,
    DIM_OF,
    EARLY,
    EQ,
    EXTERNAL_REPLACE,
    FLOAT,
    GT,
    LET,
    MUL,
    NEG,
    OK,
    OPCONST,
    STEPSIZE_OF,
    SUB,
    TILING,
    TYPICAL_CONV_SLICE,
    TYPICAL_SLICE,
    ZERO_OFFSET_OF,
    Builder,
    Node,
    Op,
    external_replacement,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    rule,
)
from htp_mlir.lowering.rules.tree.build import Reference
from xdsl.ir import SSAValue


@external_replacement("never_reset")
def never_reset(builder: Builder, root: Node) -> SSAValue:
    """The op over a read of the same state whose reset is always false."""
    spec = TensorSpec((1, 1, 1, 1), DType.Bool8)
    never = builder.const(np.zeros(spec.shape, np.bool_), spec)
    read = builder.like(root.inputs[0].value, lambda read: [read.operands[0], never])
    return builder.native("Relu", read.results, Reference(root.spec))


STARTS = [ADD(DIM_OF("S0", dim), DIM_OF("S1", dim)) for dim in range(4)]
STARTS[1] = SUB(STARTS[1], 1)
STORED_ZERO = NEG(MUL(FLOAT(ZERO_OFFSET_OF("In")), STEPSIZE_OF("In")))
PAD_BEFORE = gen_Shape(*(CONSTVAL_INT("pads", 2 * dim) for dim in range(4)))

WRONG = {
    "lost bias": rule(
        EARLY,
        Op("ConvLayer_valid", "A", "W", "S", "B"),
        OK,
        Op("Conv2d_valid", "A", "W", "S"),
    ),
    "swapped operands": rule(EARLY, Op("ElementWiseSubtract", "A", "B"), OK, Op("Sub", "B", "A")),
    "slice off by one": rule(
        EARLY,
        Op("Slice_shape", Op("Slice_shape", "X", "S0", "N0"), "S1", "N1"),
        GT(DIM_OF("S0", 1), 0),
        Op("Slice_shape", "X", gen_Shape(*STARTS), gen_ShapeOf("*")),
    ),
    "wrong axis": rule(
        TILING,
        Op("Softmax", "X", "axis", "beta"),
        GT(DIM_OF("*", 1), 8),
        AUTOSPLIT(1, "I", 8, Op("Softmax", TYPICAL_SLICE("X", "I"), "axis", "beta")),
    ),
    "dropped zero point": rule(
        EARLY,
        Op("Pad", "In", "pads", "Value"),
        EQ(CONSTVAL_FLOAT("Value", 0), 0.0),
        Op(
            "SlicePad_shape",
            "In",
            PAD_BEFORE,
            gen_Shape(0, 0, 0, 0),
            gen_ShapeOf("*"),
            gen_ConstScalar_f32(STORED_ZERO),
        ),
    ),
    "lost reset": rule(
        EARLY, Op("Relu", Op("StateRead", "Init", "Reset")), OK, EXTERNAL_REPLACE(never_reset)
    ),
    "lost stride": rule(
        TILING,
        Op("MaxPool_valid", "A", "F", "S"),
        GT(DIM_OF("*", 1), 8),
        AUTOSPLIT(
            1,
            "I",
            8,
            Op("MaxPool_valid", TYPICAL_CONV_SLICE("A", "I", 1, DIM_OF("F", 1)), "F", "S"),
        ),
    ),
    "a bias of any height": rule(
        EARLY,
        Op("Add", "X", OPCONST("B")),
        EQ(DIM_DEPTH("X"), DIM_DEPTH("B")),
        Op("BiasAdd", "X", "B"),
    ),
    "wrong bound": rule(
        EARLY,
        Op("Relu", LET("C", Op("FullyConnected", "A", "W", "B"))),
        OK,
        Op(
            "FullyConnected.clamp",
            *("A", "W", "B"),
            gen_ConstScalar_f32(0.0),
            gen_ConstScalar_f32(6.0),
        ),
    ),
}
"""By what is wrong with them."""
