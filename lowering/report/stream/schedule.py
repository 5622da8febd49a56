"""The inferences at which something happens: arithmetic progressions and where two meet.

Inferences count from 1. StreamSchedule(2, 3) is 2, 5, 8, ...; it meets StreamSchedule(1, 2), which
is 1, 3, 5, ..., at 5, 11, 17, ..., the schedule of their least common multiple (Chinese remainder
theorem).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd


@dataclass(frozen=True)
class StreamSchedule:
    """The inference `first` and from there on every `every`-th."""

    first: int = 1
    every: int = 1

    @property
    def wait(self) -> int:
        """The most inferences from any one to the next of the schedule, both ends included."""
        return max(self.first, self.every) - 1

    def then(self, inner: StreamSchedule) -> StreamSchedule:
        """Return the schedule of something that counts the inferences of this one as its own."""
        return StreamSchedule(self.first + (inner.first - 1) * self.every, self.every * inner.every)

    def meet(self, other: StreamSchedule) -> StreamSchedule | None:
        """Return the inferences of both schedules; None where there are none."""
        common = gcd(self.every, other.every)
        apart = other.first - self.first
        if apart % common:
            return None
        period = self.every // common * other.every
        inverse = pow(self.every // common, -1, other.every // common)
        at = self.first + apart // common * inverse * self.every
        least = max(self.first, other.first)
        return StreamSchedule(least + (at - least) % period, period)


ALWAYS = StreamSchedule()
"""The schedule of each inference from the first on."""


def meet(*schedules: StreamSchedule | None) -> StreamSchedule | None:
    """Return the inferences of all; None is the schedule of what never happens."""
    common: StreamSchedule | None = ALWAYS
    for schedule in schedules:
        common = common.meet(schedule) if common and schedule else None
    return common
