"""Profile of a package's kernels: the packets that each executes on Hexagon, for the same tensors.

Each kernel is built twice, for this machine and for Hexagon, and runs on tensors that are drawn for
it. QEMU counts packets, not time: there are no stalls, no caches and no HMX.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from math import prod
from random import Random

import numpy as np

from ...dialects.diagnostics import HtpError
from ...dialects.htp.base import NativeOp
from ...dialects.spec_of import Array
from ...runtime.kernel.kernel import Kernel
from ..packages.compiled.hexagon import HexagonRunner
from ..packages.packages import Packages
from ..rules import AND, DIM_DEPTH, DIM_HEIGHT, EQ, OK
from .kernel_check import KernelTrial, reference_of, run_free

_SIZES = (AND(EQ(DIM_HEIGHT("*"), 8), EQ(DIM_DEPTH("*"), 128)), EQ(DIM_DEPTH("*"), 128), OK)
"""Sizes of results, the first that a kernel takes: enough for its loops to count."""
_CASES = 8
"""Graphs of each size, at most: where the op is not declared, some have results of other dims."""


@dataclass
class KernelProfile:
    """A kernel's packets for a number of result elements, beside those of the reference.

    `wrong` is the number of elements with other bits than on this machine, `near` tells that they
    are floats within the tolerance of a check, and `obstacle` says why it did not run.
    """

    kernel: Kernel
    packets: int = 0
    elements: int = 0
    wrong: int = 0
    near: bool = True
    obstacle: str = ""
    reference: KernelProfile | None = None

    @property
    def each(self) -> float:
        """Packets for each element of the results."""
        return self.packets / max(1, self.elements)

    def line(self) -> str:
        """Write the profile as a line."""
        head = f"{self.kernel.op}: {self.kernel.name}"
        if self.obstacle:
            return f"{head}: not run: {self.obstacle}"
        figures = f"{self.packets} packets for {self.elements} elements, {self.each:.3g} each"
        other = self.reference
        if other and not other.obstacle and self.packets:
            figures += f", {self.each / other.each:.3g} times those of {other.kernel.name}"
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
        rows = {k.name: _profile(here, op, own[k.name], k, runner, seed) for k in kernels}
        for kernel in kernels:
            other = reference_of(kernel, [each for each in kernels if each is not kernel])
            rows[kernel.name].reference = rows[other.name] if other else None
        yield from rows.values()


def _profile(
    packages: Packages,
    op: type[NativeOp],
    own: Kernel,
    kernel: Kernel,
    runner: HexagonRunner,
    seed: int,
) -> KernelProfile:
    """Run a kernel on one graph that it takes, on both machines."""
    row = KernelProfile(kernel)
    if lacks := kernel.lacks or own.lacks:
        row.obstacle = f"it {lacks}"
        return row
    comparison = KernelTrial(packages, op, own, None, None)
    random = Random(f"{seed} {own.op} {own.name}")
    here, there = comparison.library(own), comparison.library(kernel)
    row.obstacle = "no graph was found that fits; declare the op"
    drawn = (comparison.drawn(size, random, _CASES, here) for size in _SIZES)
    for case in chain.from_iterable(drawn):
        try:
            trial, before = run_free(case, here)
            runner.packets.clear()
            after = trial.run(there)
        except HtpError as error:
            row.obstacle = error.faults[0].problem
            continue
        row.packets, row.obstacle = runner.packets[-1], ""
        for slot, result in trial.placed[0].results.items():
            spec, values = case.spec(slot), (before[result], after[result])
            row.elements += prod(spec.shape)
            if wrong := _different(*values):
                row.wrong += wrong
                row.near &= spec.quant is None and not comparison.difference(*values, spec)
        break
    return row


def _different(first: Array, second: Array) -> int:
    """Count the elements whose bits differ."""
    size = first.dtype.itemsize
    one, other = (np.ascontiguousarray(each).view(np.uint8) for each in (first, second))
    return int((one.reshape(-1, size) != other.reshape(-1, size)).any(axis=1).sum())
