"""Comparisons, logic and the positions of extremes, for flat tensors of every element type.

Elements of one encoding are compared as they are stored, others as real numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ....dialects.htp.ops.elementwise import CORE_OF
from ...functions.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import Int32Tensor, Int32Tensor_TCM
from ...tensors.tensors import Tensor
from ..support.calls import in_order
from ..support.classes import Stored
from ..support.hoisting import bound_once, number_in
from ..support.reals import read, ungraded

_COMPARISONS: dict[str, np.ufunc] = {
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Equal": np.equal,
    "NotEqual": np.not_equal,
}
_LOGIC: dict[str, np.ufunc] = {
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
}
_EXTREMES: dict[str, Callable[..., object]] = {"Argmax": np.argmax, "Argmin": np.argmin}


def _comparison(function: np.ufunc) -> Callable[..., BoundCall]:
    def compare(out: Tensor, a: Stored, b: Stored) -> BoundCall:
        if a.spec.same_encoding(b.spec) and ungraded(a):
            return partial(function, a.array, b.array, out.array)
        (left, first), (right, second) = read(a), read(b)
        made = partial(function, left.array, right.array, out.array)
        return in_order([*first, *second, made])

    return compare


def _logic(function: np.ufunc) -> Callable[..., BoundCall]:
    def logic(out: Tensor, a: Tensor, b: Tensor) -> BoundCall:
        return lambda: function(a.stored(), b.stored(), out.array)

    return logic


def logical_not(out: Tensor, a: Tensor) -> BoundCall:
    """Of a Bool8 tensor."""
    return in_order([lambda: np.logical_not(a.stored(), out.array)])


def _position(function: Callable[..., object]) -> Callable[..., BoundCall]:
    def position(out: Int32Tensor | Int32Tensor_TCM, inp: Stored, axis: Int32Tensor) -> BoundCall:
        found = np.empty(out.shape, np.intp)

        def bind() -> BoundCall:
            along = int(number_in(axis)) % inp.spec.rank
            values, before = _comparable(inp)
            search = partial(function, values, along, found, keepdims=True)
            return in_order([*before, search, partial(np.copyto, out.array, found, "same_kind")])

        return bound_once([axis], bind)

    return position


def _comparable(inp: Tensor) -> tuple[Array, list[Callable[[], object]]]:
    """Elements in the order of their real numbers, and the calls that make them so."""
    if ungraded(inp):
        return inp.array, []
    real, before = read(inp)
    return real.array, before


def _declared() -> KernelSet:
    kernels = KernelSet()
    raw = {core: name for name, core in CORE_OF.items()}
    for core, function in _COMPARISONS.items():
        for name in (core, raw[core]):
            kernels.kernel(name, cost=Cost.FAST, name="compare")(_comparison(function))
    for core, function in _LOGIC.items():
        for name in (core, raw[core]):
            kernels.kernel(name, cost=Cost.FAST, name="logic")(_logic(function))
    for name in ("Not", raw["Not"]):
        kernels.kernel(name, cost=Cost.FAST, name="logic")(logical_not)
    for name, search in _EXTREMES.items():
        kernels.kernel(name, cost=Cost.FAST, name="position")(_position(search))
    return kernels


KERNELS = _declared()
