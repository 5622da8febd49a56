"""Params by name, whether they come from a graph op's properties or a native op's operands."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from ....dialects.qti_aisw.params import ParamValue
from ...functions.arrays import Pair
from ...functions.windows import Pads

Held = ParamValue | tuple[float, ...]
E = TypeVar("E", bound=Enum)


class Params:
    """The params of one op; a native scalar is a tuple of one, a named value may be its number."""

    def __init__(self, values: Mapping[str, Held]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def reals(self, name: str) -> tuple[float, ...]:
        """The numbers of a param, one or more."""
        held = self._values[name]
        if isinstance(held, str):
            raise TypeError(f"param '{name}' is the name {held}, not a number")
        return held if isinstance(held, tuple) else (held,)

    def ints(self, name: str) -> tuple[int, ...]:
        """The whole numbers of a param."""
        return tuple(int(value) for value in self.reals(name))

    def real(self, name: str) -> float:
        """The one number of a param."""
        (value,) = self.reals(name)
        return float(value)

    def integer(self, name: str) -> int:
        """The one whole number of a param."""
        return int(self.real(name))

    def flag(self, name: str, default: bool) -> bool:
        """A truth value; the default where the op does not have this param."""
        return bool(self.integer(name)) if name in self else default

    def pair(self, name: str) -> Pair:
        """Height and width."""
        height, width = self.ints(name)
        return height, width

    def pairs(self, name: str) -> tuple[Pair, ...]:
        """(before, after) of each dim, from a flat list."""
        numbers = self.ints(name)
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def pads(self) -> Pads:
        """`pad_amount` as ((top, bottom), (left, right))."""
        rows, columns = self.pairs("pad_amount")
        return rows, columns

    def choice(self, name: str, kind: type[E]) -> E:
        """A named value: by its name or value in a graph op, by its number in a native one."""
        held = self._values[name]
        members = list(kind)
        if isinstance(held, str):
            return next(member for member in members if held in (member.value, member.name))
        return members[self.integer(name)]
