"""Joins of different rates: ops whose operands are let through by Buffers that do not agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from xdsl.ir import Operation

from ....dialects.diagnostics import Fault
from ....dialects.faults.op_faults import fault_at
from .flow import StreamSchedule

Rate = tuple[str, StreamSchedule]
"""The BLOCKING Buffers that a value waits for, by name, and the schedule that comes of them."""


class Loss(Enum):
    """The operands of which a join uses not every result."""

    ONE = "results of one are lost"
    BOTH = "results of both are lost"
    ALL = "they never meet"


@dataclass(frozen=True)
class Join:
    """An op and two of its operands, by their rates; None for `runs` that never come."""

    op: Operation
    label: str
    operands: tuple[Rate, Rate]
    runs: StreamSchedule | None

    @property
    def differs(self) -> bool:
        """Tell whether one operand runs more often than the other, or they never meet."""
        return self.runs is None or len({schedule.every for _, schedule in self.operands}) > 1

    @property
    def loss(self) -> Loss:
        """The loss; of two rates that contradict each other both lose."""
        if self.runs is None:
            return Loss.ALL
        slowest = max(schedule.every for _, schedule in self.operands)
        return Loss.BOTH if self.runs.every > slowest else Loss.ONE

    def text(self) -> str:
        """Write both rates and what comes of them."""
        rates = " and ".join(f"{name} {rate_text(at)}" for name, at in self.operands)
        both = f", both {rate_text(self.runs)}" if self.runs else ""
        return f"joins {rates}{both}: {self.loss.value}"

    def fault(self) -> Fault:
        """Make the fault of rates that contradict each other."""
        remedy = "give the Buffers one stride and one first run, or keep their results apart"
        return fault_at(self.op, self.text(), remedy, self.label)


def join_of(op: Operation, label: str, operands: Sequence[Rate]) -> Join | None:
    """Find the two operands that lose most of those that are slower than the stream."""
    slow = dict.fromkeys(rate for rate in operands if rate[1].every > 1)
    pairs = [Join(op, label, pair, pair[0][1].meet(pair[1][1])) for pair in combinations(slow, 2)]
    differ = [join for join in pairs if join.differs]
    return max(differ, key=lambda join: list(Loss).index(join.loss), default=None)


def rate_text(schedule: StreamSchedule) -> str:
    """Write a schedule: `every 3rd from 2`."""
    return f"{every_text(schedule.every)} from {schedule.first}"


def every_text(every: int) -> str:
    """Write a rate: every, every 2nd, every 11th."""
    if every == 1:
        return "every"
    ending = "th" if every % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(every % 10)
    return f"every {every}{ending or 'th'}"
