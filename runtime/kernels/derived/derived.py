"""Kernels that follow from others: for further element types, and for mixed layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ....dialects.value.place import FLAT_TCM
from ...kernel.kernel import BoundCall, Cost, Kernel, Slot
from ...tensors.tensors import Tensor
from ..f32 import (
    activations,
    convolution,
    elementwise,
    linear,
    norm,
    pool,
    reductions,
    rnn,
    softmax,
    upsampling,
)
from ..semantics.reference import REFERENCE
from ..support import pointwise
from ..support.families import CROUTONS, NUMBERS, WHOLES, classes, slot
from .extremes import extremes
from .tables import tables
from .twins import by_op, for_family, plain_of, through_reals, twins

_F32: tuple[Iterable[Kernel], ...] = (
    elementwise.KERNELS,
    activations.KERNELS,
    linear.KERNELS,
    softmax.KERNELS,
    norm.KERNELS,
    rnn.KERNELS,
    reductions.KERNELS,
    convolution.KERNELS,
    upsampling.KERNELS,
    pool.KERNELS,
)
_POINTWISE = (*pointwise.UNARY, *elementwise.BINARY, "Clamp", "Elu", "LeakyRelu", "Prelu")
_MIXED = (*_POINTWISE, "BiasAdd")


def _derived() -> list[Kernel]:
    found = [kernel for kernels in _F32 for kernel in kernels]
    lying = [f"htp.{name}" for name in _POINTWISE]
    otherwise = _through(found)
    return [
        *tables(otherwise),
        *extremes(otherwise),
        *twins(found, lying),
        *_wholes(found),
        *_mixed(),
    ]


def _through(found: list[Kernel]) -> Callable[[str], Callable[..., BoundCall]]:
    """From an op to its kernel on tensors read as real numbers, else its reference."""
    ops = by_op(found)

    def otherwise(name: str) -> Callable[..., BoundCall]:
        op = f"htp.{name}"
        plain = plain_of(ops.get(op, []))
        return through_reals(plain or REFERENCE[op])

    return otherwise


def _wholes(found: list[Kernel]) -> Iterator[Kernel]:
    """The reference on i32 tensors wherever an f32 kernel takes f32 ones."""
    for op, kernels in by_op(found).items():
        made = replace(REFERENCE[op], cost=Cost.SNAIL)
        yield from for_family(kernels, WHOLES, made)


def _mixed() -> Iterator[Kernel]:
    """The reference on operands of any layout and memory, for results in croutons or TCM."""
    results = slot("out", classes(NUMBERS, FLAT_TCM, *CROUTONS))
    for name in _MIXED:
        made = replace(REFERENCE[f"htp.{name}"], name="mixed", cost=Cost.SNAIL)
        yield replace(made, outputs=(results,), inputs=(Slot("operands", Tensor),), variadic=True)


KERNELS: tuple[Kernel, ...] = tuple(_derived())
