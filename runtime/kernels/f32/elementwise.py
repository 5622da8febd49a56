"""Element-wise kernels for f32 and i32 tensors, flat or in croutons, in either memory.

Tensors of one layout are worked on in storage order: what happens in the padding of a crouton stays
there. Broadcasting needs no copy either: an operand's dim of 1 is a view of extent 1.

Comparisons, logic and the positions of extremes take flat tensors of every element type. Elements
of one encoding are compared as they are stored, others as real numbers.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ....dialects.htp import CORE_OF
from ...functions.elementwise import COMPARING_UFUNCS, JOINING_UFUNCS, LOGIC_UFUNCS
from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet, Takes
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, Int32Tensor_TCM, PlainFloatTensor
from ...tensors.tensors import Tensor
from ..support import pointwise
from ..support.bands import has_one_encoding, read, spread
from ..support.calls import Floats, bound_once, in_order, number, number_in
from ..support.classes import F32, I32, Anywhere, FloatTensor, RealKernels, Stored

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


COMPARISONS = KernelSet()


def _compare(function: np.ufunc, out: Tensor, a: Tensor, b: Tensor) -> BoundCall:
    if a.spec.same_encoding(b.spec) and has_one_encoding(a):
        return partial(function, a.array, b.array, out.array)
    (left, first), (right, second) = read(a), read(b)
    return in_order([*first, *second, partial(function, left.array, right.array, out.array)])


def _logic(function: np.ufunc, out: Tensor, *operands: Tensor) -> BoundCall:
    return lambda: function(*(operand.stored() for operand in operands), out.array)


def _position(function: Callable[..., object], out: Tensor, inp: Tensor, axis: Tensor) -> BoundCall:
    index = np.empty(out.shape, np.intp)

    def bind() -> BoundCall:
        along = int(number_in(axis)) % inp.spec.rank
        before: list[Call] = []
        values: Array = inp.array
        if not has_one_encoding(inp):
            real, before = read(inp)
            values = real.array
        search = partial(function, values, along, index, keepdims=True)
        return in_order([*before, search, partial(np.copyto, out.array, index, "same_kind")])

    return bound_once([axis], bind)


def _declare(core: str, function: Callable[..., BoundCall], takes: Takes, name: str) -> None:
    """Declare a kernel for an op in both of its forms; its operands all have these classes."""
    operands = dict.fromkeys("a" if core == "Not" else "ab", takes)
    for op in (core, _RAW[core]):
        COMPARISONS.add(op, function, {"out": Anywhere}, operands, name=name, cost=Cost.FAST)


_RAW = {core: raw for raw, core in CORE_OF.items()}

for _core, _ufunc in COMPARING_UFUNCS.items():
    _declare(_core, partial(_compare, _ufunc), Stored, "compare")
for _core, _ufunc in {**LOGIC_UFUNCS, "Not": np.bitwise_not}.items():
    _declare(_core, partial(_logic, _ufunc), Tensor, "logic")
for _op, _search in (("Argmax", np.argmax), ("Argmin", np.argmin)):
    COMPARISONS.add(
        _op,
        partial(_position, _search),
        {"out": (Int32Tensor, Int32Tensor_TCM)},
        {"inp": Stored, "axis": Int32Tensor},
        name="position",
        cost=Cost.FAST,
    )
