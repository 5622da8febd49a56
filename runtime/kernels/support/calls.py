"""Bound calls of numpy functions in a row; work that is done once where operands are constant.

A scalar operand is a 0-d array: a Python number would be converted on every call.

Sums of quantised elements and of their products are exact. The elements are taken without their
zero points, as integers, and the sum is multiplied by the scales once. Below 2^24 a sum is then
exact, so it does not depend on the order of summation, and every kernel rounds means half-way
between two steps alike.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ....dialects.value import DType
from ...functions.quantize import dequantize
from ...functions.support.arrays import Array, Pair
from ...kernel.kernel import BoundCall, Call
from ...tensors.memory import working
from ...tensors.tensors import ShapeParam, Tensor

Floats: TypeAlias = NDArray[np.float32]

CHUNK = 16384
"""Elements that a function of several passes works on at a time, so that they stay in cache."""


class _CallPart(Protocol):
    """A function, or the arguments of the one before it."""

    def __call__(self, *arguments: object) -> object: ...

    def __iter__(self) -> Iterator[object]: ...


class _InOrder(tuple[_CallPart, ...]):
    """Each function and then its arguments, in one object: a third of the bytes of partials."""

    __slots__ = ()

    def __call__(self) -> None:
        parts = iter(self)
        for function in parts:
            function(*next(parts))


class _Copies(tuple[Array, ...]):
    """Each target and then its source: tiles of a large tensor are thousands of them."""

    __slots__ = ()

    def __call__(self) -> None:
        arrays = iter(self)
        for target in arrays:
            np.copyto(target, next(arrays))


def in_order(calls: Iterable[Call]) -> BoundCall:
    """Join calls into one."""
    parts = [
        (call.func, call.args) if isinstance(call, partial) and not call.keywords else (call, ())
        for call in calls
    ]
    if all(function is np.copyto for function, _ in parts):
        return _Copies(array for _, arrays in parts for array in arrays)
    return _InOrder(cast(Iterable[_CallPart], chain.from_iterable(parts)))


def number(value: float) -> Floats:
    """Make a scalar operand."""
    return np.array(value, np.float32)


def scratch(*shape: int) -> Floats:
    """Memory for what a kernel needs while it runs; later steps use the same bytes."""
    return working(shape, np.float32)


def lasting(*shape: int) -> Floats:
    """Memory for what a kernel may compute once, when it is bound."""
    return np.empty(shape, np.float32)


def repeated(values: Array, *shape: int) -> tuple[Floats, Call]:
    """Memory for values that are repeated up to a shape, and the call that does so at each run."""
    copies = scratch(*shape)
    return copies, partial(np.copyto, copies, values)


def spans(count: int, size: int) -> Iterator[slice]:
    """0 to `count` in pieces of `size`, the last of which may be smaller."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


Operands = Sequence[Tensor]


def bound_once(params: Operands, bind: Callable[[], BoundCall]) -> BoundCall:
    """Make the call that `bind` makes from the values of these params.

    Params are constants in all IR that the lowering makes; others are read again on every run.
    """
    if all(param.constant for param in params):
        return bind()
    return lambda: bind()()


def hoisted(operands: Operands, calls: Iterable[Call]) -> list[Call]:
    """Make the calls at once where the operands are constant, else return them for every run."""
    steps = list(calls)
    if not all(operand.constant for operand in operands):
        return steps
    for step in steps:
        step()
    return []


def always(tensor: Tensor, value: float) -> bool:
    """Tell whether a tensor is a constant whose elements are all this number."""
    return tensor.constant and bool((tensor.load() == value).all())


def number_in(param: Tensor) -> float:
    """Read the one number of a param."""
    return float(param.load().reshape(-1)[0])


def pair(param: Tensor) -> Pair:
    """Read height and width of a param of two numbers."""
    height, width = param.array.reshape(-1).tolist()
    return height, width


def plane(shape: ShapeParam) -> Pair:
    """Read height and width of a shape 1xHxWx1."""
    _, height, width, _ = shape.dims
    return height, width


Sum = Callable[[Sequence[Array]], Array]


def gain(factors: Sequence[Tensor], channel: int | None, depth: int) -> NDArray[np.float32] | None:
    """Compute the scale of sums of products of the factors' integers, a scalar or a row.

    The last factor may have an encoding along its axis `channel`, counted from the end, if that
    is the result's depth. None where elements are not integers with a zero point.
    """
    product = np.ones((), np.float32)
    for index, tensor in enumerate(factors):
        quant = tensor.spec.quant
        if quant is None or tensor.spec.dtype is DType.QInt32:
            return None
        if quant.axis is not None:
            last = 0 < index == len(factors) - 1
            if not last or quant.axis - tensor.spec.rank != channel or len(quant.scales) != depth:
                return None
            product = product * np.array(quant.scales, np.float32)
        else:
            product = product * np.float32(quant.scale)
    return np.asarray(product, np.float32)


def whole(tensor: Tensor) -> Array:
    """Read the elements of a quantised tensor without their zero points."""
    quant = tensor.spec.quant
    if quant is None:
        return tensor.load()
    ones = [1.0] * len(quant.zero_points) if quant.axis is not None else 1.0
    zeros = quant.zero_points if quant.axis is not None else quant.zero_point
    return dequantize(tensor.stored(), ones, zeros, quant.axis)


def summed(
    function: Sum, factors: Sequence[Tensor], channel: int | None, depth: int
) -> Array | None:
    """Apply a function that is linear in every factor; None where `gain` is."""
    scale = gain(factors, channel, depth)
    if scale is None:
        return None
    return np.multiply(function([whole(factor) for factor in factors]), scale)
