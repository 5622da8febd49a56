"""When tensors are in TCM: the check that no two share bytes at one time."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault, HtpError
from .program import Home, Program, Region
from .steps import LoadStep


@dataclass(frozen=True)
class Stay:
    """A tensor's time in TCM, from the step that writes it to the last that reads it.

    Scratch, which is no value, stays for one step.
    """

    value: SSAValue | None
    home: Home
    first: int
    last: int

    def meets(self, other: Stay) -> bool:
        """Whether the two share a byte at one time."""
        in_time = self.first <= other.last and other.first <= self.last
        return in_time and self.home.offset < other.home.end and other.home.offset < self.home.end


def stays(program: Program) -> list[Stay]:
    """The stays of all tensors in TCM, in order of their first step."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for index, step in enumerate(program.steps):
        for value in step.writes:
            first.setdefault(program.origin(value), index)
        for value in (*step.writes, *step.reads):
            last[program.origin(value)] = index
    for step in program.steps:
        if isinstance(step, LoadStep) and step.resident:
            first[step.writes[0]], last[step.writes[0]] = 0, len(program.steps)
    found = [Stay(v, program.homes[v], first[v], last[v]) for v in first]
    for index, step in enumerate(program.steps):
        found += [Stay(None, home, index, index) for home in step.scratch]
    in_tcm = [stay for stay in found if stay.home.region is Region.TCM]
    return sorted(in_tcm, key=lambda stay: stay.first)


def last_uses(program: Program) -> dict[int, list[SSAValue]]:
    """The tensors in TCM that are dead after a step, by the step's index."""
    ending: dict[int, list[SSAValue]] = {}
    for stay in stays(program):
        if stay.value is not None:
            ending.setdefault(stay.last, []).append(stay.value)
    return ending


def require_disjoint(program: Program) -> None:
    """Raise HtpError that names each pair of tensors in TCM that overlap in time and address."""
    faults: list[Fault] = []
    active: list[Stay] = []
    for stay in stays(program):
        active = [other for other in active if other.last >= stay.first]
        faults += [_fault(other, stay) for other in active if other.meets(stay)]
        active.append(stay)
    if faults:
        raise HtpError(*faults)


def _fault(one: Stay, other: Stay) -> Fault:
    start = max(one.home.offset, other.home.offset)
    end = min(one.home.end, other.home.end)
    found = f"lies on {one.home.label}, which is still to be read: TCM bytes {start} to {end}"
    return Fault(other.home.label, found, "allocate again")
