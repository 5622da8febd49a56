"""Tables by op whose missing row is an error that names the file to edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

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
