"""Work that a kernel does once where its operands are constant, else on every run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...functions.support.arrays import Pair
from ...kernel.kernel import BoundCall, Call
from ...tensors.tensors import ShapeParam, Tensor

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


def plane(shape: ShapeParam) -> Pair:
    """Read height and width of a shape 1xHxWx1."""
    _, height, width, _ = shape.dims
    return height, width
