"""The base of what functions join by a decorator: kernels, conversions, importers, executors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")
Function = TypeVar("Function", bound=Callable[..., Any])


class Registrar(Generic[Row]):
    """The rows of one module, in the order of their declarations."""

    def __init__(self) -> None:
        self._rows: list[Row] = []

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def _declaring(self, rows: Callable[[Any], Iterable[Row]]) -> Callable[[Function], Function]:
        """Return a decorator that adds the rows of a function."""

        def declare(function: Function) -> Function:
            self._rows += rows(function)
            return function

        return declare
