"""Profile of a package's kernels: the packets that each executes on Hexagon, for the same tensors.

Each kernel is built twice, for this machine and for Hexagon, and runs on tensors that are drawn for
it. QEMU counts packets, not time: there are no stalls, no caches and no HMX.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from math import prod
from random import Random

import numpy as np

from ...dialects.diagnostics import HtpError
from ...dialects.spec_of import Array
from ...runtime.kernel.kernel import Kernel
from ...runtime.kernel.library import Library
from ..packages.compiled.hexagon import HexagonRunner
from ..packages.packages import Packages
from ..rules import AND, DIM_DEPTH, DIM_HEIGHT, EQ, OK
from ..rules.soundness.run import Outputs, Trial
from .kernel_check import NO_GRAPH, KernelTrial, reference_of, run_free

_SIZES = (AND(EQ(DIM_HEIGHT("*"), 8), EQ(DIM_DEPTH("*"), 128)), EQ(DIM_DEPTH("*"), 128), OK)
"""Sizes of results, the first that a kernel takes: enough for its loops to count."""
_CASES = 8
"""Graphs of each size, at most: where the op is not declared, some have results of other dims."""


@dataclass
class KernelProfile:
    """A kernel's packets for a number of result elements; `beside` has its reference's for them.

    `wrong` is the number of elements with other bits than on this machine, `near` tells that they
    are floats within the tolerance of a check, and `obstacle` says why it did not run.
    """

    kernel: Kernel
    packets: int = 0
    elements: int = 0
    wrong: int = 0
    near: bool = True
    obstacle: str = ""
    reference: str = ""
    beside: int = 0

    def line(self) -> str:
        """Write the profile as a line."""
        head = f"{self.kernel.op}: {self.kernel.name}"
        if self.obstacle:
            return f"{head}: not run: {self.obstacle}"
        each = self.packets / max(1, self.elements)
        figures = f"{self.packets} packets for {self.elements} elements, {each:.3g} each"
        if self.beside:
            times = f"{self.packets / self.beside:.3g} times those of {self.reference}"
            figures += f", {times} on the same tensors"
        wrong = f"other bits than here in {self.wrong}{', all within the tolerance' * self.near}"
        bits = wrong if self.wrong else "the bits are those of here"
        return f"{head}: {figures}; {bits}"


def profiles(
    here: Packages, there: Packages, name: str, runner: HexagonRunner, seed: int
) -> Iterator[KernelProfile]:
    """Yield the profile of each kernel of a package: `here` on this machine, `there` on Hexagon."""
    member = next(member for member in there if member.name == name)
    for op in member.ops:
        kernels = there.kernels.kernels(op.name)
        own = {kernel.name: kernel for kernel in here.kernels.kernels(op.name)}
        for kernel in kernels:
            others = [each for each in kernels if each is not kernel and not each.lacks]
            trial = KernelTrial(here, op, own[kernel.name], reference_of(kernel, others), None)
            yield _profile(trial, kernel, runner, seed)


def _profile(
    comparison: KernelTrial, kernel: Kernel, runner: HexagonRunner, seed: int
) -> KernelProfile:
    """Run a kernel on one graph that it takes, on both machines, and its reference on Hexagon."""
    row, own = KernelProfile(kernel), comparison.kernel
    if lacks := kernel.lacks or own.lacks:
        row.obstacle = f"it {lacks}"
        return row
    random = Random(f"{seed} {own.op} {own.name}")
    here = comparison.library(own)
    row.obstacle = NO_GRAPH
    drawn = (comparison.drawn(size, random, _CASES, here) for size in _SIZES)
    for case in chain.from_iterable(drawn):
        try:
            trial, before = run_free(case, here)
            after, row.packets = _counted(trial, comparison.library(kernel), runner)
        except HtpError as error:
            row.obstacle = error.faults[0].problem
            continue
        row.obstacle = ""
        for slot, result in trial.placed[0].results.items():
            spec, values = case.spec(slot), (before[result], after[result])
            row.elements += prod(spec.shape)
            if wrong := _different(*values):
                row.wrong += wrong
                row.near &= spec.quant is None and not comparison.difference(*values, spec)
        if other := comparison.reference:
            with suppress(HtpError):
                row.reference = other.name
                _, row.beside = _counted(trial, comparison.library(other), runner)
        break
    return row


def _counted(trial: Trial, library: Library, runner: HexagonRunner) -> tuple[Outputs, int]:
    """Run a graph on Hexagon, and return what its kernel made, with the packets it took."""
    runner.packets.clear()
    return trial.run(library), runner.packets[-1]


def _different(first: Array, second: Array) -> int:
    """Count the elements whose bits differ."""
    size = first.dtype.itemsize
    one, other = (np.ascontiguousarray(each).view(np.uint8) for each in (first, second))
    return int((one.reshape(-1, size) != other.reshape(-1, size)).any(axis=1).sum())
