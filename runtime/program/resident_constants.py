"""Resident constants: loaded to TCM once, where no other tensor ever uses their bytes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.ir import SSAValue

from .program import Allocation, Program, Region, Step
from .steps import KernelStep, LoadStep, WaitStep


def load_resident_constants(program: Program) -> None:
    """Load at binding: constants in TCM, and copies of constants, that keep their bytes."""
    occupied = _Occupied(program)
    loaded = {id(step): _loaded(program, step, occupied) for step in program.steps}
    program.steps[:] = [
        loaded[id(step)]
        for step in program.steps
        if not (isinstance(step, WaitStep) and isinstance(loaded[id(step.start)], LoadStep))
    ]


class _Occupied:
    """The bytes of TCM that each tensor of a program, or scratch, ever uses."""

    def __init__(self, program: Program) -> None:
        self._program = program
        owners: list[tuple[SSAValue | None, Allocation]]
        owners = [(program.origin(value), at) for value, at in program.allocations.items()]
        owners += [(None, at) for step in program.steps for at in step.scratch]
        in_tcm = [(owner, at) for owner, at in owners if at.region is Region.TCM]
        self._owners = np.array([id(owner) for owner, _ in in_tcm], np.uint64)
        self._starts = np.array([at.offset for _, at in in_tcm], np.int64)
        self._ends = np.array([at.end for _, at in in_tcm], np.int64)

    def alone(self, value: SSAValue) -> bool:
        """Tell whether no other tensor ever has a byte of a TCM value."""
        at: Allocation = self._program.allocations[value]
        met = (self._starts < at.end) & (at.offset < self._ends)
        return not bool((met & (self._owners != id(self._program.origin(value)))).any())


def _loaded(program: Program, step: Step, occupied: _Occupied) -> Step:
    """The step, or a load step in its place, whose constant kernels may use when they are bound."""
    if isinstance(step, LoadStep):
        return replace(step, resident=occupied.alone(step.writes[0]))
    if not isinstance(step, KernelStep) or not step.copies_to_tcm:
        return step
    source = program.constants.get(step.reads[0])
    if source is None or not occupied.alone(step.writes[0]):
        return step
    program.constants[step.writes[0]] = source
    return LoadStep(step.op, step.label, (), (step.writes[0],), source, resident=True)
