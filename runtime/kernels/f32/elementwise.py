"""Element-wise kernels for f32 and i32 tensors, flat or in croutons, in either memory.

Tensors of one layout are worked on in storage order: what happens in the padding of a crouton stays
there. Broadcasting needs no copy either: an operand's dim of 1 is a view of extent 1.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ...functions.elementwise import JOINING_UFUNCS
from ...functions.support.arrays import Array
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import PlainFloatTensor
from ...tensors.tensors import Tensor
from ..support import pointwise
from ..support.bands import spread
from ..support.calls import Floats, in_order, number
from ..support.classes import F32, I32, FloatTensor, RealKernels

Joined = Callable[[Array, Array, Array], list[Call]]


def _ufunc(function: np.ufunc) -> Joined:
    return lambda a, b, out: [partial(function, a, b, out=out)]


BINARY: dict[str, Joined] = {
    **{name: _ufunc(function) for name, function in JOINING_UFUNCS.items()},
    "Div": _ufunc(np.divide),
    "Pow": _ufunc(np.power),
    "SquaredDifference": lambda a, b, out: [
        partial(np.subtract, a, b, out),
        partial(np.multiply, out, out, out),
    ],
}

WHOLE = (*JOINING_UFUNCS, "SquaredDifference")
"""The functions whose numpy form serves integers too: sums and products wrap."""


KERNELS = RealKernels(elementwise=True)


def _unary(name: str, out: FloatTensor, inp: FloatTensor) -> BoundCall:
    return in_order(pointwise.bound(name, inp.array, out.array))


def _binary(calls: Joined, out: Tensor, a: Tensor, b: Tensor) -> BoundCall:
    return in_order(calls(spread(a), spread(b), out.array))


for _name in pointwise.UNARY:
    _function = partial(_unary, _name)
    KERNELS.add(_name, _function, {"out": F32}, {"inp": F32}, name="unary", cost=Cost.FAST)
for _name, _calls in BINARY.items():
    for _label, _class in (("binary", F32), ("integers", I32)):
        if _class is F32 or _name in WHOLE:
            KERNELS.add(
                _name,
                partial(_binary, _calls),
                {"out": _class},
                {"a": _class, "b": _class},
                name=_label,
                cost=Cost.FAST,
            )


@KERNELS.kernel("Clamp", cost=Cost.FAST)
def clamp(out: F32, inp: F32, low: PlainFloatTensor, high: PlainFloatTensor) -> BoundCall:
    bounds = low.array.reshape(()), high.array.reshape(())
    return in_order(pointwise.clamp(inp.array, *bounds, out.array))


_ZERO, _HALF = number(0), number(0.5)


@KERNELS.kernel("Elu", cost=Cost.FAST)
def elu(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    factor: Array = alpha.array.reshape(())

    def calls(x: Floats, out: Floats, work: Floats) -> list[Call]:
        below: Floats = work[0]
        bent: list[Call] = [
            partial(np.minimum, x, _ZERO, out=below),
            partial(np.expm1, below, below),
            partial(np.multiply, below, factor, below),
        ]
        return [*bent, *_unless_negative(x, out, below)]

    return in_order(pointwise.in_pieces(calls, inp.array, out.array))


@KERNELS.kernel("LeakyRelu", cost=Cost.FAST)
def leaky_relu(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    factor: Array = alpha.array.reshape(())

    def calls(x: Floats, out: Floats, work: Floats) -> list[Call]:
        scaled = partial(np.multiply, x, factor, work[0])
        return [scaled, *_unless_negative(x, out, work[0])]

    return in_order(pointwise.in_pieces(calls, inp.array, out.array))


@KERNELS.kernel("Swish", cost=Cost.FAST)
def swish(out: F32, inp: F32, alpha: PlainFloatTensor) -> BoundCall:
    factor: Array = alpha.array.reshape(())

    def calls(x: Floats, out: Floats, work: Floats) -> list[Call]:
        gate: Floats = work[0]
        return [
            partial(np.multiply, x, factor, gate),
            # As the tanh of half the input, which cannot overflow.
            partial(np.multiply, gate, _HALF, gate),
            partial(np.tanh, gate, gate),
            partial(np.multiply, gate, _HALF, gate),
            partial(np.add, gate, _HALF, gate),
            partial(np.multiply, gate, x, out),
        ]

    return in_order(pointwise.in_pieces(calls, inp.array, out.array))


@KERNELS.kernel("Prelu", cost=Cost.FAST)
def prelu(out: F32, inp: F32, slope: F32) -> BoundCall:
    source: Array = spread(inp)
    scaled = partial(np.multiply, source, spread(slope), out.array)
    kept = np.empty(source.shape, np.bool_)
    return in_order(
        [
            scaled,
            partial(np.greater_equal, source, _ZERO, out=kept),
            partial(np.copyto, out.array, source, where=kept),
        ]
    )


def _unless_negative(x: Floats, out: Floats, below: Floats) -> list[Call]:
    """out = x where x is not negative, else what is `below`; x and out may be the same."""
    negative = np.empty(x.shape, np.bool_)
    return [
        partial(np.greater_equal, x, _ZERO, out=negative),
        partial(np.logical_not, negative, negative),
        partial(np.copyto, out, x),
        partial(np.copyto, out, below, where=negative),
    ]
