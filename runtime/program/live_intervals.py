"""Live intervals of tensors, and the check that no two share bytes at one time.

Two intervals (allocation, first step, last step) conflict where both their steps and their bytes
overlap: bytes 0 to 64 in steps 1 to 3 and bytes 32 to 96 in steps 3 to 5 do. A sweep over the
steps compares each interval with those still alive: O(n * alive).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault, HtpError
from .program import SESSION, Allocation, Program, Region
from .steps import KernelStep, LoadStep


@dataclass(frozen=True, slots=True)
class Interval:
    """A tensor's steps, from the one that writes it to the last that reads it.

    Inputs are written before the first step, and outputs read after the last. Scratch, which is not
    a value, lives for one step.
    """

    value: SSAValue | None
    allocation: Allocation
    first: int
    last: int

    @property
    def nbytes(self) -> int:
        """The bytes that the tensor takes."""
        return self.allocation.end - self.allocation.offset

    def meets(self, other: Interval) -> bool:
        """Tell whether the two share a byte at one time."""
        in_time = self.first <= other.last and other.first <= self.last
        return in_time and self.allocation.meets(other.allocation)


def live_intervals(program: Program, region: Region) -> list[Interval]:
    """List the live intervals of all tensors in a memory, in order of their first step."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for value in program.inputs.values():
        first[value] = last[value] = -1
    for index, step in enumerate(program.steps):
        for value in step.writes:
            first.setdefault(program.origin(value), index)
        for value in (*step.writes, *step.reads):
            # What is overwritten ends in front of the step.
            end = index - (isinstance(step, KernelStep) and value is step.overwrites)
            origin = program.origin(value)
            last[origin] = max(last.get(origin, end), end)
    last.update({program.origin(v): len(program.steps) for v in program.outputs.values()})
    for step in program.steps:
        if isinstance(step, LoadStep) and step.resident:
            first[step.writes[0]], last[step.writes[0]] = -1, len(program.steps)
    intervals = [Interval(v, program.allocations[v], first[v], last[v]) for v in first]
    for index, step in enumerate(program.steps):
        intervals += [Interval(None, scratch, index, index) for scratch in step.scratch]
    there = [interval for interval in intervals if interval.allocation.region is region]
    return sorted(there, key=lambda interval: interval.first)


def spare_bytes(program: Program) -> Iterator[slice]:
    """Find for each step the longest run of main memory in which no tensor lives at it.

    Example: of 20 bytes, where tensors at 0 to 8 and at 12 to 16 live, 16 to 20 or 8 to 12.
    """
    coming = live_intervals(program, Region.DDR)[::-1]
    alive: list[Interval] = []
    for index in range(len(program.steps)):
        alive = [life for life in alive if life.last >= index]
        while coming and coming[-1].first <= index:
            alive.append(coming.pop())
        taken = sorted((life.allocation.offset, life.allocation.end) for life in alive)
        ends = [0, *accumulate((end for _, end in taken), max)]
        begins = [*(begin for begin, _ in taken), program.ddr_bytes]
        yield max(map(slice, ends, begins), key=lambda run: run.stop - run.start)


def last_uses(program: Program, *regions: Region) -> dict[int, list[SSAValue]]:
    """List the tensors of these memories that are dead after a step, by the step's index.

    One that is overwritten is read once more: it is in none of the lists.
    """
    overwritten = {
        program.origin(step.overwrites)
        for step in program.steps
        if isinstance(step, KernelStep) and step.overwrites is not None
    }
    ending: dict[int, list[SSAValue]] = {}
    for interval in (life for region in regions for life in live_intervals(program, region)):
        if interval.value is not None and interval.value not in overwritten:
            ending.setdefault(interval.last, []).append(interval.value)
    return ending


def require_disjoint(program: Program) -> None:
    """Raise HtpError that names each pair of tensors that overlap in time and address."""
    faults: list[Fault] = []
    for region in SESSION:
        alive: list[Interval] = []
        for interval in live_intervals(program, region):
            alive = [other for other in alive if other.last >= interval.first]
            faults += [_fault(other, interval) for other in alive if other.meets(interval)]
            alive.append(interval)
    if faults:
        raise HtpError(*faults)


def _fault(one: Interval, other: Interval) -> Fault:
    first, second = one.allocation, other.allocation
    start, end = max(first.offset, second.offset), min(first.end, second.end)
    shared = f"{first.region.name} bytes {start} to {end}"
    problem = f"lies on {first.label}, which is still to be read: {shared}"
    return Fault(second.label, problem, "allocate again")
