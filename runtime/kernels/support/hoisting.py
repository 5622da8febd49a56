"""What a kernel does once where its operands are constant, and on every run where they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...kernel.registry import BoundCall, Call
from ...tensors.tensors import Tensor

Operands = Sequence[Tensor]


def settled(params: Operands, bind: Callable[[], BoundCall]) -> BoundCall:
    """The call that `bind` makes from the values of these params.

    Params are constants in all IR that the lowering makes; others are read again on every run.
    """
    if all(param.constant for param in params):
        return bind()

    def run() -> None:
        bind()()

    return run


def hoisted(operands: Operands, calls: Iterable[Call]) -> list[Call]:
    """What prepares these operands: done at once where they are constant, else left to runs."""
    steps = list(calls)
    if not all(operand.constant for operand in operands):
        return steps
    for step in steps:
        step()
    return []


def always(tensor: Tensor, value: float) -> bool:
    """Whether a tensor is a constant that holds nothing but this number."""
    return tensor.constant and bool((tensor.load() == value).all())


def number_in(param: Tensor) -> float:
    """The one number of a param."""
    return float(param.load().reshape(-1)[0])
