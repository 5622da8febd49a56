"""The flow of frames through a model: when a value is computed, and which frames it sees.

A frame is what one inference brings. Values join, are gathered by a Buffer or remembered by a
recurrent layer; each is one function from flows to a flow. Example: a BLOCKING Buffer of 8 frames
with stride 4 runs at 8, 12, 16, ... and sees 8 frames; another of 2 frames behind it, with stride
1, runs at 12, 16, ... and sees 12 frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd, inf


@dataclass(frozen=True)
class StreamSchedule:
    """The inference `first` and from there on every `every`-th; inferences count from 1.

    StreamSchedule(2, 3) is 2, 5, 8, ...; it meets StreamSchedule(1, 2), which is 1, 3, 5, ..., at
    5, 11, 17, ..., the schedule of their least common multiple (Chinese remainder theorem).
    """

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


@dataclass(frozen=True)
class Window:
    """The frames of one input that a value sees: at most `frames`, the newest included.

    `frames` is infinite where all since the last reset count. `whole` is false where some frames
    are seen at no run, as they came and went between two of them.
    """

    frames: float = 1
    whole: bool = True

    def at(self, runs: StreamSchedule) -> Window:
        """Return the window of a value that is looked at by this schedule only."""
        return Window(self.frames, self.whole and self.frames >= runs.every)


@dataclass(frozen=True)
class Flow:
    """The runs of a value, those that give full windows, and its window of each input.

    Full is a value that no padding and no empty row of a Buffer went into. None is a schedule that
    never comes.
    """

    runs: StreamSchedule | None = ALWAYS
    full: StreamSchedule | None = ALWAYS
    sees: Mapping[str, Window] = field(default_factory=dict)

    def latency(self, name: str) -> int | None:
        """Count the most frames that one of an input waits for the first run that sees it."""
        return self._wait(self.runs, self.sees[name])

    def latency_full(self, name: str) -> int | None:
        """Count the most frames until the first full run that sees it."""
        return self._wait(self.full, self.sees[name])

    @staticmethod
    def _wait(schedule: StreamSchedule | None, window: Window) -> int | None:
        return int(min(schedule.wait, window.frames - 1)) if schedule else None


@dataclass(frozen=True)
class Gathering:
    """The params of a Buffer, in frames instead of rows."""

    size: int
    stride: int = 1
    padding: int = 0
    blocking: bool = False

    def runs(self) -> StreamSchedule:
        """Return the schedule of a window's results, in frames that the window takes."""
        first = self.size - self.padding or self.stride
        return StreamSchedule(first, self.stride) if self.blocking else ALWAYS

    def full(self, partial: int) -> StreamSchedule:
        """Return the schedule of full results where the first `partial` frames are not full.

        These and the padding go in steps of the stride, the first step after the Buffer is full.
        """
        steps = -(-(self.padding + partial) // self.stride)
        return StreamSchedule(self.size - self.padding + steps * self.stride, self.stride)


def joined(data: Sequence[Flow], controls: Sequence[Flow] = ()) -> Flow:
    """Return the flow of an op: it runs when all operands are there, and sees what `data` see."""
    runs = meet(*(flow.runs for flow in (*data, *controls)))
    full = meet(runs, *(flow.full for flow in data))
    if runs is None:
        return Flow(None, None)
    sees: dict[str, Window] = {}
    for flow in data:
        for name, window in flow.sees.items():
            here, other = window.at(runs), sees.get(name, Window(0, False))
            sees[name] = Window(max(here.frames, other.frames), here.whole or other.whole)
    return Flow(runs, full, sees)


def gathered(flow: Flow, gathering: Gathering) -> Flow:
    """Return the flow behind a Buffer."""
    if flow.runs is None:
        return flow
    before = (gathering.size - 1) * flow.runs.every
    sees = {name: Window(w.frames + before, w.whole) for name, w in flow.sees.items()}
    return Flow(flow.runs.then(gathering.runs()), _full(flow, flow.runs, gathering), sees)


def _full(flow: Flow, runs: StreamSchedule, gathering: Gathering) -> StreamSchedule | None:
    """Return the full results of a Buffer: one that takes several frames needs all of them full."""
    if flow.full is None or gathering.size == 1:
        return flow.full
    if flow.full.every > runs.every:
        return None
    return runs.then(gathering.full((flow.full.first - runs.first) // runs.every))


def remembered(flow: Flow) -> Flow:
    """Return the flow behind a recurrent layer, whose state has seen all frames."""
    sees = {name: Window(inf, window.whole) for name, window in flow.sees.items()}
    return Flow(flow.runs, flow.full, sees)
