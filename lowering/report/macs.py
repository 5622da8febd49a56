"""Multiply-accumulates of native ops."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from xdsl.dialects.builtin import ModuleOp

from ...dialects.htp.base import NativeOp
from ...dialects.value.spec import spec_of
from ...runtime.program.boundary import main_function


def macs(module: ModuleOp) -> int:
    """Multiply-accumulates of one inference of `@main`; 0 for ops that have none."""
    ops = main_function(module).body.block.ops
    return sum(_macs(op) for op in ops if isinstance(op, NativeOp))


def _macs(op: NativeOp) -> int:
    package, name, *_ = op.name.split(".")
    count = _COUNTS.get(name) if package == "htp" else None
    return count(op) if count else 0


def _per_result(op: NativeOp) -> int:
    """Filters [h, w, c, m]: every output element sums h * w * c products."""
    filters = spec_of(op.operands[1]).shape
    return spec_of(op.results[0]).elements * prod(filters[:3])


def _per_input(op: NativeOp) -> int:
    """A transposed convolution: every input element goes into h * w * m sums."""
    height, width, _, channels = spec_of(op.operands[1]).shape
    return spec_of(op.operands[0]).elements * height * width * channels


def _dense(op: NativeOp) -> int:
    return spec_of(op.results[0]).elements * spec_of(op.operands[1]).shape[3]


def _matmul(op: NativeOp) -> int:
    turned = (op.ints("transpose_in0") or (0,))[0]
    return spec_of(op.results[0]).elements * spec_of(op.operands[0]).shape[2 if turned else 3]


def _recurrent(op: NativeOp) -> int:
    """Each step and batch entry multiplies all of W and R."""
    _, steps, batch, _ = op.spec("X").shape
    return steps * batch * (op.spec("W").elements + op.spec("R").elements)


_COUNTS: dict[str, Callable[[NativeOp], int]] = {
    "Conv2d": _per_result,
    "Conv2d_valid": _per_result,
    "ConvLayer_valid": _per_result,
    "DepthWiseConv2d": _per_result,
    "DepthwiseConvLayer_valid": _per_result,
    "TransposeConv2d": _per_input,
    "TransposeConvLayer_valid": _per_input,
    "FullyConnected": _dense,
    "MatMul": _matmul,
    "Lstm": _recurrent,
    "Gru": _recurrent,
}
