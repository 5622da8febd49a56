"""Constants that stay in TCM: brought there once, where no other tensor ever uses their bytes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.ir import SSAValue

from ..tensors.tensors import Tensor
from .program import Home, Program, Region, Step
from .steps import KernelStep, LoadStep, WaitStep


def settle_constants(program: Program) -> None:
    """Load at binding what stays in TCM: constants that lie there, and copies of constants."""
    occupied = _Occupied(program)
    settled = {id(step): _settled(program, step, occupied) for step in program.steps}
    program.steps[:] = [
        settled[id(step)]
        for step in program.steps
        if not (isinstance(step, WaitStep) and isinstance(settled[id(step.start)], LoadStep))
    ]


class _Occupied:
    """The bytes of TCM that each tensor of a program, or scratch, ever uses."""

    def __init__(self, program: Program) -> None:
        self._program = program
        held: list[tuple[SSAValue | None, Home]]
        held = [(program.origin(value), home) for value, home in program.homes.items()]
        held += [(None, home) for step in program.steps for home in step.scratch]
        in_tcm = [(owner, home) for owner, home in held if home.region is Region.TCM]
        self._owners = np.array([id(owner) for owner, _ in in_tcm], np.uint64)
        self._starts = np.array([home.offset for _, home in in_tcm], np.int64)
        self._ends = np.array([home.end for _, home in in_tcm], np.int64)

    def alone(self, value: SSAValue) -> bool:
        """Whether no other tensor ever lies in the bytes of a TCM value."""
        home: Home = self._program.homes[value]
        met = (self._starts < home.end) & (home.offset < self._ends)
        return not bool((met & (self._owners != id(self._program.origin(value)))).any())


def _settled(program: Program, step: Step, occupied: _Occupied) -> Step:
    """The step, or the loading of what stays, which kernels may count on when they are bound."""
    if isinstance(step, LoadStep):
        return replace(step, resident=occupied.alone(step.writes[0]))
    source = _copied_constant(program, step)
    if source is None or not occupied.alone(step.writes[0]):
        return step
    program.constants[step.writes[0]] = source
    return LoadStep(step.label, (), (step.writes[0],), source, resident=True)


def _copied_constant(program: Program, step: Step) -> Tensor | None:
    """The constant that a step copies to TCM as it is."""
    if not isinstance(step, KernelStep) or not step.brings:
        return None
    return program.constants.get(step.reads[0])
