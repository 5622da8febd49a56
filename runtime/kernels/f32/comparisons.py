"""Comparisons, logic and the positions of extremes, for flat tensors of every element type.

Elements of one encoding are compared as they are stored, others as real numbers.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ....dialects.htp import CORE_OF
from ...functions.elementwise import COMPARING_UFUNCS, LOGIC_UFUNCS
from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet, Takes
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, Int32Tensor_TCM
from ...tensors.tensors import Tensor
from ..support.bands import has_one_encoding, read
from ..support.calls import bound_once, in_order, number_in
from ..support.classes import Anywhere, Stored

KERNELS = KernelSet()


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
        KERNELS.add(op, function, {"out": Anywhere}, operands, name=name, cost=Cost.FAST)


_RAW = {core: raw for raw, core in CORE_OF.items()}

for _core, _ufunc in COMPARING_UFUNCS.items():
    _declare(_core, partial(_compare, _ufunc), Stored, "compare")
for _core, _ufunc in {**LOGIC_UFUNCS, "Not": np.bitwise_not}.items():
    _declare(_core, partial(_logic, _ufunc), Tensor, "logic")
for _op, _search in (("Argmax", np.argmax), ("Argmin", np.argmin)):
    KERNELS.add(
        _op,
        partial(_position, _search),
        {"out": (Int32Tensor, Int32Tensor_TCM)},
        {"inp": Stored, "axis": Int32Tensor},
        name="position",
        cost=Cost.FAST,
    )
