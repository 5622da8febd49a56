"""Reductions of flat f32 tensors; the reduced dims stay, with size 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor
from ...tensors.tensors import Tensor
from ..support.calls import in_order, number
from ..support.classes import Flat
from ..support.hoisting import bound_once

KERNELS = KernelSet()

_UFUNCS = {
    "Sum": np.add,
    "Mean": np.add,
    "Max": np.maximum,
    "Min": np.minimum,
    "Prod": np.multiply,
}


def _reduction(name: str) -> Callable[..., BoundCall]:
    on_stored = reduced(name)

    def reduce(out: Flat, inp: Flat, axes: Int32Tensor) -> BoundCall:
        return on_stored(out, inp, axes)

    return reduce


def reduced(name: str) -> Callable[[Tensor, Tensor, Tensor], BoundCall]:
    """A reduction of stored elements, by the last part of its name."""

    def reduce(out: Tensor, inp: Tensor, axes: Tensor) -> BoundCall:
        def bind() -> BoundCall:
            over = tuple(int(axis) % inp.spec.rank for axis in axes.array.reshape(-1))
            total = partial(
                _UFUNCS[name].reduce, inp.array, axis=over, keepdims=True, out=out.array
            )
            return in_order([total, *_after(name, out, inp)])

        return bound_once([axes], bind)

    return reduce


def _after(name: str, out: Tensor, inp: Tensor) -> list[Call]:
    if name != "Mean":
        return []
    count = number(inp.spec.elements / max(1, out.spec.elements))
    return [partial(np.divide, out.array, count, out.array)]


for _name in _UFUNCS:
    KERNELS.kernel(f"Reduce{_name}", cost=Cost.FAST, name="reduce")(_reduction(_name))
