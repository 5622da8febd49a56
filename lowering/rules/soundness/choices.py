"""Numbers drawn one after another, remembered so that a case can be made again, and smaller."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Draws from a generator, or again from the numbers of an earlier run.

    0 stands for the simplest choice everywhere: smaller numbers make simpler cases. Past the end
    of the given numbers a source without a generator draws 0.
    """

    def __init__(self, source: Random | Sequence[int]) -> None:
        self.made: list[int] = []
        self._random = source if isinstance(source, Random) else None
        self._given = () if isinstance(source, Random) else source

    def below(self, count: int) -> int:
        """A number from 0 to count - 1; count >= 1."""
        index = len(self.made)
        if self._random is not None:
            value = self._random.randrange(count)
        else:
            value = min(self._given[index], count - 1) if index < len(self._given) else 0
        self.made.append(value)
        return value

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, the simplest of which comes first."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases; false is the simpler."""
        return self.below(100) >= 100 - percent
