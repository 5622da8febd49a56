"""Element-wise kernels for f32 and i32 tensors, flat or in croutons, in either memory.

Tensors of one layout work on memory as it lies: what happens in the padding of a crouton stays
there. Broadcasting needs no copy either: an operand's dim of 1 is a view of extent 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...functions.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import PlainFloatTensor
from ..support import pointwise
from ..support.calls import in_order
from ..support.classes import F32, I32
from ..support.croutons import DEPTH, layout_of, row_elements, row_shape, spread

Joined = Callable[[Array, Array, Array], list[Call]]


def _ufunc(function: np.ufunc) -> Joined:
    return lambda a, b, out: [partial(function, a, b, out=out)]


def _squared_difference(a: Array, b: Array, out: Array) -> list[Call]:
    return [partial(np.subtract, a, b, out), partial(np.multiply, out, out, out)]


BINARY: dict[str, Joined] = {
    "Add": _ufunc(np.add),
    "Sub": _ufunc(np.subtract),
    "Mul": _ufunc(np.multiply),
    "Div": _ufunc(np.divide),
    "Pow": _ufunc(np.power),
    "Mod": _ufunc(np.remainder),
    "Maximum": _ufunc(np.maximum),
    "Minimum": _ufunc(np.minimum),
    "SquaredDifference": _squared_difference,
}

WHOLE = ("Add", "Sub", "Mul", "Mod", "Maximum", "Minimum", "SquaredDifference")
"""Those that numpy computes on integers as they are meant: sums and products wrap."""


def _unary(name: str) -> Callable[..., BoundCall]:
    def unary(out: F32, inp: F32) -> BoundCall:
        return in_order(pointwise.bound(name, inp.array, out.array))

    return unary


def _binary(calls: Joined) -> Callable[..., BoundCall]:
    def binary(out: F32, a: F32, b: F32) -> BoundCall:
        return in_order(calls(spread(a), spread(b), out.array))

    return binary


def _integers(calls: Joined) -> Callable[..., BoundCall]:
    def integers(out: I32, a: I32, b: I32) -> BoundCall:
        return in_order(calls(spread(a), spread(b), out.array))

    return integers


def _declared() -> KernelSet:
    kernels = KernelSet()
    for name in pointwise.UNARY:
        kernels.kernel(name, cost=Cost.FAST, name="unary")(_unary(name))
    for name, calls in BINARY.items():
        kernels.kernel(name, cost=Cost.FAST, name="binary")(_binary(calls))
    for name in WHOLE:
        kernels.kernel(name, cost=Cost.FAST, name="integers")(_integers(BINARY[name]))
    return kernels


KERNELS = _declared()


@KERNELS.kernel("BiasAdd", cost=Cost.FAST)
def bias_add(out: F32, inp: F32, bias: PlainFloatTensor) -> BoundCall:
    if inp.flat:
        return partial(np.add, inp.array, bias.array, out.array)
    layout, depth = layout_of(inp), inp.shape[DEPTH]
    row = np.zeros(row_elements(layout, inp.shape), np.float32)
    blocks = row.reshape(row_shape(layout, inp.shape))
    return in_order(
        [
            partial(np.copyto, row[:depth], bias.array.reshape(-1)),
            partial(np.add, inp.array, blocks, out.array),
        ]
    )


@KERNELS.kernel("Clamp", cost=Cost.FAST)
def clamp(out: F32, inp: F32, low: PlainFloatTensor, high: PlainFloatTensor) -> BoundCall:
    bounds = low.array.reshape(()), high.array.reshape(())
    return in_order(pointwise.clamp(inp.array, *bounds, out.array))
