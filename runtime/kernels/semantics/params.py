"""Params by name, whether they come from a graph op's properties or a native op's operands."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from ....dialects.qti_aisw.params import ParamValue
from ...functions.support.arrays import Pair

Value = ParamValue | tuple[float, ...]
E = TypeVar("E", bound=Enum)


class Params:
    """The params of one op; a native scalar is a tuple of one, an enum member may be its number."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def reals(self, name: str) -> tuple[float, ...]:
        """Read the numbers of a param, one or more."""
        value = self._values[name]
        if isinstance(value, str):
            raise TypeError(f"param '{name}' is the name {value}, not a number")
        return value if isinstance(value, tuple) else (value,)

    def ints(self, name: str) -> tuple[int, ...]:
        """Read the integers of a param."""
        return tuple(int(value) for value in self.reals(name))

    def real(self, name: str) -> float:
        """Read the one number of a param."""
        (value,) = self.reals(name)
        return float(value)

    def integer(self, name: str) -> int:
        """Read the one integer of a param."""
        return int(self.real(name))

    def flag(self, name: str) -> bool:
        """Read a truth value."""
        return bool(self.integer(name))

    def bound(self, name: str) -> float | None:
        """Read a bound; 0 means no bound."""
        return self.real(name) or None

    def pair(self, name: str) -> Pair:
        """Read height and width, also from a shape 1xHxWx1."""
        numbers = self.ints(name)
        height, width = numbers if len(numbers) == 2 else numbers[1:3]
        return height, width

    def pairs(self, name: str) -> tuple[Pair, ...]:
        """Read (before, after) of each dim from a flat list."""
        numbers = self.ints(name)
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def triples(self, name: str) -> tuple[tuple[int, int, int], ...]:
        """Read (begin, end, stride) of each dim from a flat list."""
        numbers = self.ints(name)
        return tuple(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))

    def choice(self, name: str, kind: type[E]) -> E:
        """Read an enum member: by name or value in a graph op, by number in a native one."""
        value = self._values[name]
        members = list(kind)
        if isinstance(value, str):
            return next(member for member in members if value in (member.value, member.name))
        return members[self.integer(name)]
