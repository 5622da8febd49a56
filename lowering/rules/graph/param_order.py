"""Param orders: which params a native op takes, in which order; params that are axes at rank 4.

Source: QNN HTP op package documentation, op parameter order specification.

Source: QNN HTP op package documentation, list of axis params.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import fail
from ....dialects.value import RANK

ParamDefault = int | float | bool | str | tuple[int, ...]


@dataclass(frozen=True)
class Param:
    """A param by name. Without `mandatory` and `default` it is skipped where it is absent."""

    name: str
    mandatory: bool = False
    default: ParamDefault | None = None


@dataclass(frozen=True)
class ParamOrder:
    """The params of one op; params that are not listed are dropped."""

    op: str
    params: tuple[Param, ...]


def param_order(op: str, *params: Param) -> ParamOrder:
    """Return the order of an op's params; HtpError where one is listed twice.

    Example: `param_order("Elu", Param("alpha", default=1.0))`
    """
    names = [param.name for param in params]
    for name in names:
        if names.count(name) > 1:
            raise fail(f"param order of {op}", f"lists '{name}' twice", "list each param once")
    return ParamOrder(op, params)


def merge(orders: Sequence[ParamOrder]) -> dict[str, ParamOrder]:
    """Merge orders by op; HtpError where two of one op differ."""
    merged: dict[str, ParamOrder] = {}
    for order in orders:
        if merged.setdefault(order.op, order) != order:
            raise fail(f"param order of {order.op}", "two declarations differ", "keep one of them")
    return merged


def shifted_axis(axis: int, rank: int) -> int:
    """Return an axis of a tensor of `rank` dims at rank 4; a negative one counts from the end.

    Above rank 4 the leading dims of extent 1 fold away. HtpError for an axis that the tensor does
    not have, and for one that folds away.

    Example: `shifted_axis(-1, 3) == shifted_axis(2, 3) == 3 and shifted_axis(0, 3) == 1`
    """
    if not -rank <= axis < rank:
        remedy = f"take one from {-rank} to {rank - 1}" if rank else "leave it out"
        raise fail(f"axis {axis}", f"the tensor has {rank} dims", remedy)
    shifted = axis % rank + RANK - rank
    if shifted < 0:
        fault = f"is one of the first {rank - RANK} dims, native tensors have rank {RANK}"
        raise fail(f"axis {axis}", fault, "fold leading dims before")
    return shifted


def is_axis(value: object) -> bool:
    """Test that a param's value can be an axis: an integer, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)
