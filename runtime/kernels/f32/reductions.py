"""Reductions of flat f32 tensors; the reduced dims stay, with size 1."""

from functools import partial

import numpy as np

from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import Int32Tensor
from ...tensors.tensors import Tensor
from ..support.calls import bound_once, in_order, number
from ..support.classes import Flat, RealKernels

KERNELS = RealKernels()

_UFUNCS = {
    "Sum": np.add,
    "Mean": np.add,
    "Max": np.maximum,
    "Min": np.minimum,
    "Prod": np.multiply,
}


def reduced(name: str, out: Tensor, inp: Tensor, axes: Tensor) -> BoundCall:
    """Bind a reduction of stored elements, by the last part of its name."""

    def bind() -> BoundCall:
        over = tuple(int(axis) % inp.spec.rank for axis in axes.array.reshape(-1))
        total = partial(_UFUNCS[name].reduce, inp.array, axis=over, keepdims=True, out=out.array)
        if name != "Mean":
            return total
        count = number(inp.spec.elements / max(1, out.spec.elements))
        return in_order([total, partial(np.divide, out.array, count, out.array)])

    return bound_once([axes], bind)


for _name in _UFUNCS:
    KERNELS.add(
        f"Reduce{_name}",
        partial(reduced, _name),
        {"out": Flat},
        {"inp": Flat, "axes": Int32Tensor},
        name="reduce",
        cost=Cost.FAST,
    )
