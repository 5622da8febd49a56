"""Multiply-accumulates of native ops."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.attention import AttentionOp
from ...dialects.htp.ops.convolution import TransposeConv2dOp
from ...dialects.htp.ops.rnn import RecurrentOp
from ...dialects.spec_of import spec_of
from ...runtime.program.boundary import main_function


def macs(module: ModuleOp) -> int:
    """Count the multiply-accumulates of one inference of `@main`; 0 for ops that have none."""
    ops = main_function(module).body.block.ops
    return sum(macs_of(op) for op in ops if isinstance(op, NativeOp))


def macs_of(op: NativeOp) -> int:
    """Count the products of one op: the products that each element of its result sums."""
    if isinstance(op, RecurrentOp):
        # Each step and batch entry multiplies all of W and R.
        _, steps, batch, _ = op.dims("X")
        weights = ("W", *op.RECURRENT)
        return steps * batch * sum(op.spec(name).elements for name in weights)
    if isinstance(op, AttentionOp):
        # Queries times keys, and weights times values.
        return (op.spec("q").elements + spec_of(op.out).elements) * op.dims("k")[2]
    if isinstance(op, TransposeConv2dOp):
        # Padding cuts results off; every element of the input goes into h * w * m sums.
        height, width, _, channels = op.dims("filter")
        return op.spec("in").elements * height * width * channels
    return spec_of(op.results[0]).elements * op.ACCESS.products(op) if op.ACCESS else 0
