"""Param orders: which params a native op takes, in which order, and their defaults.

Source: QNN HTP op package documentation, op parameter order specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import fail

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
