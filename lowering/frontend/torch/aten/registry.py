"""Conversions of PyTorch's ops, as a user or the project brings them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....conversion.registry import function_label
from .node import AtenNode

Results = SSAValue | list[SSAValue]
Convert = Callable[[AtenNode], Results]
"""Builds the graph ops of one node; returns its result, or all of them."""


@dataclass(frozen=True)
class TorchConversion:
    """The conversion of one op: `aten.add.Tensor`, or `aten.add` for all its overloads."""

    op: str
    function: Convert

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class TorchConversions:
    """The conversions of one module; the decorator is `TorchConversions().conversion`."""

    def __init__(self) -> None:
        self._conversions: list[TorchConversion] = []

    def conversion(self, *ops: str) -> Callable[[Convert], Convert]:
        """Declare a function as the conversion of ops: `aten.add.Tensor`, `aten.add`."""

        def declare(function: Convert) -> Convert:
            self._conversions += [TorchConversion(op, function) for op in ops]
            return function

        return declare

    def __iter__(self) -> Iterator[TorchConversion]:
        return iter(self._conversions)
