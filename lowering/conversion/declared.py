"""The declarations of native ops that conversions read from the packages in use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from ...dialects.htp.base import NativeOp
from ..rules.graph.param_order import ParamOrder


class Declared(Protocol):
    """Native ops by IR name (`Pkg.Op`), and how each takes its params."""

    @property
    def ops(self) -> Mapping[str, type[NativeOp]]:
        """Every op."""

    @property
    def param_orders(self) -> Mapping[str, ParamOrder]:
        """The param order of each op that declares one."""

    def axis_params(self, op: str) -> Collection[str]:
        """The params of an op that are axes."""
