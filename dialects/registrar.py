"""Tables that functions join by a decorator, and tables by op that name the file to edit."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from .diagnostics import fail

V = TypeVar("V")


class Table(dict[str, V]):
    """Rows by mnemonic; HtpError for the lookup of an op that has none.

    `ops` begins the op's name in that error (`htp.`), `problem` and `remedy` go on.
    """

    def __init__(self, rows: Mapping[str, V], ops: str, problem: str, remedy: str) -> None:
        super().__init__(rows)
        self._ops, self._problem, self._remedy = ops, problem, remedy

    def __missing__(self, mnemonic: str) -> V:
        raise fail(f"{self._ops}{mnemonic}", self._problem, self._remedy)


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
