"""Elu, LeakyRelu, Swish and Prelu for f32 tensors, flat or in croutons, in either memory.

What holds for negative inputs is computed for all, then the others are put back.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...functions.support.arrays import Array
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import PlainFloatTensor
from ..support.calls import in_order, number
from ..support.classes import F32
from ..support.croutons import spread
from ..support.families import RealKernels

KERNELS = RealKernels(elementwise=True)

_ZERO, _HALF = number(0), number(0.5)


@KERNELS.kernel("Elu", cost=Cost.FAST)
def elu(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    result: Array = out.array
    negative: list[Call] = [
        partial(np.minimum, inp.array, _ZERO, out=result),
        partial(np.expm1, result, result),
        partial(np.multiply, result, alpha.array.reshape(()), result),
    ]
    return in_order([*negative, *_unless_negative(inp.array, result)])


@KERNELS.kernel("LeakyRelu", cost=Cost.FAST)
def leaky_relu(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    scaled = partial(np.multiply, inp.array, alpha.array.reshape(()), out.array)
    return in_order([scaled, *_unless_negative(inp.array, out.array)])


@KERNELS.kernel("Swish", cost=Cost.FAST)
def swish(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    gate: Array = out.array
    return in_order(
        [
            partial(np.multiply, inp.array, alpha.array.reshape(()), gate),
            # As the tanh of half the input, which cannot overflow.
            partial(np.multiply, gate, _HALF, gate),
            partial(np.tanh, gate, gate),
            partial(np.multiply, gate, _HALF, gate),
            partial(np.add, gate, _HALF, gate),
            partial(np.multiply, gate, inp.array, gate),
        ]
    )


@KERNELS.kernel("Prelu", cost=Cost.FAST)
def prelu(out: F32, inp: F32, slope: F32) -> BoundCall:
    source: Array = spread(inp)
    scaled = partial(np.multiply, source, spread(slope), out.array)
    return in_order([scaled, *_unless_negative(source, out.array)])


def _unless_negative(x: Array, out: Array) -> list[Call]:
    """Put x where it is not negative; both broadcast to the shape of out."""
    kept = np.empty(x.shape, np.bool_)
    return [
        partial(np.greater_equal, x, _ZERO, out=kept),
        partial(np.copyto, out, x, where=kept),
    ]
