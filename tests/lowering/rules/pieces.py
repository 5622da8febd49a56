"""Parts of replacements that several tests build with."""

from htp_mlir.lowering.rules import (
    WITH_SIZE,
    WITH_TYPE,
    Op,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
)
from htp_mlir.lowering.rules.tree.expr import Arg, Expr

WHOLE = gen_ShapeOf("*")


def padded(to: Expr) -> Expr:
    """A SlicePad_shape of X to a size, with its own shape and X's type."""
    none = gen_Shape(0, 0, 0, 0)
    return WITH_TYPE(
        "X", WITH_SIZE(to, Op("SlicePad_shape", "X", none, none, to, gen_ConstScalar_f32(0.0)))
    )


def cut(of: Arg) -> Expr:
    """The part of a value that is as large as the root's output."""
    return Op("Slice_shape", of, gen_Shape(0, 0, 0, 0), WHOLE)
