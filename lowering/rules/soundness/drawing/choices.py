"""A recorded row of random draws, from which a case can be made again, and made smaller."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A source of draws: a generator, or the recorded draws of an earlier run.

    0 is the simplest choice everywhere: smaller numbers make simpler cases. Behind the end of a
    recording every draw is 0.
    """

    def __init__(self, source: Random | Sequence[int]) -> None:
        self.draws: list[int] = []
        self._random = source if isinstance(source, Random) else None
        self._recorded = () if isinstance(source, Random) else source

    def below(self, count: int) -> int:
        """Draw a number from 0 to count - 1; count >= 1."""
        index = len(self.draws)
        if self._random is not None:
            value = self._random.randrange(count)
        else:
            value = min(self._recorded[index], count - 1) if index < len(self._recorded) else 0
        self.draws.append(value)
        return value

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """Draw true with this probability; false is the simpler."""
        return self.below(100) >= 100 - percent
