"""Signatures for kernels that a table makes: one function, several choices of tensor classes."""

from __future__ import annotations

from collections.abc import Callable

from ...kernel.kernel import BoundCall
from ...tensors.tensors import Tensor

Converter = Callable[[Tensor, Tensor], BoundCall]


def converter(out_class: type[Tensor], in_class: type[Tensor], bind: Converter) -> Converter:
    """A binding kernel from one tensor to another, for these two classes."""

    def kernel(out: Tensor, inp: Tensor) -> BoundCall:
        return bind(out, inp)

    kernel.__annotations__ = {"out": out_class, "inp": in_class, "return": BoundCall}
    return kernel
