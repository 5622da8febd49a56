"""Ops on flat f32 tensors in main memory that move, choose or convert elements."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import numpy as np

from ...dialects.htp import NATIVE_OPS
from ..registry import BoundCall, Cost, KernelSet
from ..tensor_classes import Int32Tensor, Int64Tensor, PlainFloatTensor
from ..tensors import Tensor
from .calls import in_order
from .hoisting import number_in, settled
from .reference import NATIVE_MEANINGS, applied
from .transposing import transposed

KERNELS = KernelSet()

Integers = TypeVar("Integers", Int32Tensor, Int64Tensor)
"""Integers, flat, in main memory."""


@KERNELS.kernel("Transpose", cost=Cost.FAST)
def transpose(out: PlainFloatTensor, inp: PlainFloatTensor, perm: Int32Tensor) -> BoundCall:
    def bind() -> BoundCall:
        return in_order(transposed(inp.array, perm.array.reshape(-1).tolist(), out.array))

    return settled([perm], bind)


@KERNELS.kernel("Gather", cost=Cost.FAST)
def gather(
    out: PlainFloatTensor, inp: PlainFloatTensor, indices: Integers, axis: Int32Tensor
) -> BoundCall:
    """Indices are checked first; the reference says what is wrong with them."""
    refuse = applied(NATIVE_OPS["Gather"], NATIVE_MEANINGS["Gather"])([out], [inp, indices, axis])
    found = indices.array.reshape(-1)
    positions = np.empty(found.shape, np.intp)

    def bind() -> BoundCall:
        along = int(number_in(axis)) % inp.spec.rank
        extent = inp.shape[along]

        def run() -> None:
            np.copyto(positions, found)
            if ((positions < -extent) | (positions >= extent)).any():
                refuse()
            np.take(inp.array, positions, along, out.array, mode="wrap")

        return run

    return settled([axis], bind)


@KERNELS.kernel("Select", cost=Cost.FAST)
@KERNELS.kernel("ElementWiseSelect", cost=Cost.FAST)
def select(
    out: PlainFloatTensor, cond: Tensor, a: PlainFloatTensor, b: PlainFloatTensor
) -> BoundCall:
    chosen = np.empty(cond.shape, np.bool_)
    return in_order(
        [
            lambda: np.not_equal(cond.stored(), 0, chosen),
            partial(np.copyto, out.array, b.array),
            partial(np.copyto, out.array, a.array, where=chosen),
        ]
    )


@KERNELS.kernel("Cast", cost=Cost.FAST, name="from_integers")
def cast(out: PlainFloatTensor, inp: Integers) -> BoundCall:
    return partial(np.copyto, out.array, inp.array, casting="same_kind")
