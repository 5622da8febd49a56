"""Integer-exact sums: convolutions, matrix products and means of quantised tensors.

The f32 kernel sums products of the elements without their zero points, which f32 holds exactly up
to 2^24; scales, bias and bounds follow, and the result is quantised once. Past 2^24 the error is
that of an f32 sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ...kernel.kernel import BoundCall, Call, Kernel
from ...tensors.tensor_classes import constant_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import Floats, in_order
from ..support.exact import gain
from ..support.reals import read, written
from ..support.rows import finished, rows_of

Function = Callable[..., BoundCall]


@dataclass(frozen=True)
class Sums:
    """An op that sums products of its first operands.

    core: the op that does just that, from the operands before `bias` and a bias. bias: the position
    of the bias, and of two bounds after it where the op has them. channel: the axis of the last
    factor, from the end, that is the result's depth.
    """

    core: str
    factors: int = 2
    channel: int | None = -1
    bias: int | None = None
    gelu: bool = False
    params: int = 0
    """The operands behind the bias that say what is summed."""


SUMS: dict[str, Sums] = {
    **{
        f"htp.{name}{suffix}": Sums(f"htp.{name}", bias=3)
        for name in ("ConvLayer_valid", "DepthwiseConvLayer_valid")
        for suffix in ("", ".clamp")
    },
    "htp.TransposeConvLayer_valid": Sums("htp.TransposeConvLayer_valid", bias=3),
    "htp.Conv2d": Sums("htp.Conv2d", bias=2, params=4),
    "htp.DepthWiseConv2d": Sums("htp.DepthWiseConv2d", bias=2, params=3),
    "htp.FullyConnected": Sums("htp.FullyConnected", channel=-2, bias=2),
    "htp.FullyConnected.clamp": Sums("htp.FullyConnected", channel=-2, bias=2),
    "htp.FullyConnected.gelu": Sums("htp.FullyConnected", channel=-2, bias=2, gelu=True),
    "htp.MatMul": Sums("htp.MatMul", channel=None),
    **{
        f"htp.{name}": Sums(f"htp.{name}", factors=1, channel=None)
        for name in ("AvgPool_valid", "PoolAvg2d", "ReduceSum", "ReduceMean")
    },
}


def through_sums(op: Sums, core: Kernel, otherwise: Function) -> Function:
    """Make a kernel on quantised tensors; factors that are not integers go to `otherwise`.

    `core` works on flat f32 tensors in main memory.
    """

    def bind(out: Tensor, *operands: Tensor | ShapeParam) -> BoundCall:
        factors = [operand for operand in operands[: op.factors] if isinstance(operand, Tensor)]
        scale = gain(factors, op.channel, out.shape[3])
        if scale is None:
            return otherwise(out, *operands)
        before: list[Call] = []
        reals: list[Tensor | ShapeParam] = []
        for factor in factors:
            real, calls = read(factor, scaled=False)
            reals.append(real)
            before += calls
        end = len(operands) - op.params
        reals += operands[op.factors : op.bias]
        if op.bias is not None:
            zeros = np.zeros((1, 1, 1, out.shape[3]), np.float32)
            reals.append(constant_tensor(TensorSpec(zeros.shape, DType.Float32), zeros))
            reals += operands[end:]
        result, after = written(out)
        finish = _finished(op, result.array, scale, operands[op.bias : end] if op.bias else ())
        return in_order([*before, core.bind([result], reals), *finish, *after])

    return bind


def _finished(
    op: Sums, sums: Floats, scale: Floats, last: Sequence[Tensor | ShapeParam]
) -> Iterator[Call]:
    """Scale, bias, bounds and Gelu; the last operands are read before."""
    params: list[Floats] = []
    for param in (operand for operand in last if isinstance(operand, Tensor)):
        real, calls = read(param)
        params.append(real.array.reshape(-1))
        yield from calls
    yield from finished(rows_of(sums), params, op.gelu, scale)
