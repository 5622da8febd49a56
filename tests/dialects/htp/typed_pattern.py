"""A user's rewrite pattern on native ops; `make check` has mypy read it, a test runs it."""

from typing import assert_type

from htp_mlir.dialects.htp import (
    ClampOp,
    ConvLayerValidClampOp,
    ElementWiseAddOp,
    MaxPoolValidOp,
    ShapeType,
)
from htp_mlir.dialects.htp.fields import TensorOperand, TensorResult
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


class ClampOnce(RewritePattern):
    """Clamp of a clamped convolution with the same bounds -> the convolution."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ClampOp, rewriter: PatternRewriter) -> None:
        conv = op.in_.owner
        if not isinstance(conv, ConvLayerValidClampOp):
            return
        if (conv.min, conv.max) == (op.min, op.max):
            rewriter.replace(op, [], [conv.out])


def typed(pool: MaxPoolValidOp, add: ElementWiseAddOp) -> None:
    """Hold the types of fields."""
    assert_type(add.b, TensorOperand)
    assert_type(pool.act, TensorOperand)
    assert_type(pool.stride, SSAValue[ShapeType])
    assert_type(pool.out, TensorResult)
