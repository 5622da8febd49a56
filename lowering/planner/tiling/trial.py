"""Trials of changes: only the steps around a change are replayed.

The steps in front of the first op that differs are those of the plan, and so are those behind the
segment that follows the change. What the plan has in TCM in front of the steps between them, and
what it reads behind them, is known from its replay. What is not in TCM behind them and has to come
back counts as moved. Other values may leave behind them than did: a trial is an estimate.

Cost: a replay of the steps of the change and of the segment behind it.

Example: in twelve segments of 100 steps one is cut anew into 80. The trial replays these, and the
100 of the next segment, and compares what they move with what their 200 do.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from ..allocation.replay import Replay, TcmState
from ..allocation.step_list import STEP
from .memory import Price
from .search import Segment, TilingPlan
from .steps import Expansion

MISFIT = 1 << 40
"""The price in bytes of a segment of which a step does not fit."""


@dataclass
class Replayed:
    """A plan that was replayed, with which others are compared that differ in a few segments."""

    plan: TilingPlan
    expansion: Expansion
    replay: Replay
    _states: dict[int, TcmState] = field(default_factory=dict[int, TcmState])

    def before(self, step: int) -> TcmState:
        """Find what is in TCM in front of a step."""
        if step not in self._states:
            self._states[step] = self.replay.before(step)
        return self._states[step]

    def weight(self, start: int, at: int) -> int:
        """Weigh the steps from `start` to the end of segment `at`, and what has to come back."""
        mark, moved = self.expansion.marks[at], self.replay.moved
        back = self.before(mark.steps).returning(self.expansion.list)
        return moved[mark.steps] - moved[start] + back + mark.penalty + STEP * mark.steps

    @cached_property
    def ends(self) -> list[int]:
        """The op behind each segment."""
        return [segment.end for segment in self.plan.segments]


class ChangeTrial:
    """A plan that differs from `base` in front of its segment `at`, replayed to the end of that.

    `is_less`: it weighs less up to there. `steps` were replayed for it.
    """

    def __init__(self, base: Replayed, plan: TilingPlan, at: int) -> None:
        self.base, self.at = base, at
        known, setting = base.expansion, plan.setting
        self.expansion = Expansion(plan.program, plan.cuts, setting.capacity, plan.windows)
        self.stop = base.ends[at]
        leaders = [leader for leader in plan.leaders if leader < self.stop]
        # What only DDR has behind it is weighed once it has run.
        limit = base.weight(0, at) + self._drained(known)
        limit += STEP * (known.calls - known.marks[at].ran)
        least = setting.program.least_from[0]
        self.is_less = self.expansion.run_all(leaders, limit, least, known)
        self.steps = len(self.expansion.list.steps) - self.expansion.taken
        self.is_less = self.is_less and self._is_less()

    def _is_less(self) -> bool:
        own, start = self.expansion, self.expansion.taken
        limit = self.base.weight(start, self.at) + self._drained(self.base.expansion)
        limit -= self._drained(own) + own.list.penalty + STEP * len(own.list.steps)
        replay = Replay(own.list, own.capacity, start, self._state(start))
        if not replay.run(limit):
            return False
        leaving = self.base.before(self.base.expansion.marks[self.at].steps).leaving
        end = replay.end(frozenset(number for number in leaving if number < own.shared))
        return replay.bytes + end.returning(own.list) < limit

    def _state(self, start: int) -> TcmState:
        """Find what is there in front of a step, and what is read behind the trial."""
        own, before = self.expansion, self.base.before(start)
        behind = self.base.expansion.marks[self.at].steps
        after, later = self.base.before(behind), len(own.list.steps) - behind
        reads = {n: [at + later for at in after.reads.get(n, ())] for n in before.written}
        wanted = {n: after.wanted.get(n, 0) for n in before.written}
        for op, number, reader in self._read_later():
            if own.memories.is_drained(number):
                continue
            index = own.program.ops[op].results.index(number)
            segment = bisect_right(self.base.ends, reader)
            step = self.base.expansion.marks[segment - 1].steps + later
            boxes = own.tilings[op].boxes
            for tile, buffers in own.results[op].items():
                buffer = own.form(number, boxes[tile], buffers[index])
                if buffer >= own.shared:
                    reads[buffer], wanted[buffer] = [step], own.list.bytes[buffer]
        return before._replace(reads=reads, wanted=wanted)

    def _drained(self, expansion: Expansion) -> int:
        """Count the bytes that only DDR has and that are read behind the trial."""
        numbers = [number for _, number, _ in self._read_later()]
        drained = [number for number in numbers if expansion.memories.is_drained(number)]
        return sum(expansion.program.tensors[number].flat_bytes for number in drained)

    def _read_later(self) -> Iterator[tuple[int, int, int]]:
        """List results that are read behind the trial: the ops that make and first read each."""
        program = self.base.plan.setting.program
        for op in range(self.expansion.begun, self.stop):
            for number in program.ops[op].results:
                readers = program.readers.get(number, ())
                if later := readers[bisect_right(readers, self.stop - 1) :]:
                    yield op, number, later[0]


def priced(plan: TilingPlan, replay: Replay) -> tuple[Segment, ...]:
    """Give each segment of a plan what its steps moved, far too much where one does not fit."""
    moved, steps = replay.moved, replay.list
    segments = list[Segment]()
    for segment, (start, end) in zip(plan.segments, pairwise((0, *steps.ends)), strict=True):
        price = segment.price
        if end < len(moved):
            price = Price(moved[end] - moved[start], end - start)
        elif start < len(moved) or steps.exceeds(replay.capacity, start, end):
            price = Price(MISFIT, end - start)
        segments.append(replace(segment, price=price))
    return tuple(segments)
