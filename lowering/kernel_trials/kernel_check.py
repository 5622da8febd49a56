"""Check of kernels: each runs beside the reference kernel of its op, between guard bytes.

Tensors are drawn from what the op's declaration says, in usual and in odd sizes.

Example: a kernel in croutons that forgets the channels past the last 32 leaves them as poison.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod
from random import Random

import numpy as np

from ...dialects.diagnostics import counted
from ...dialects.htp.base import NativeOp
from ...dialects.spec_of import Array
from ...dialects.value import DType, TensorSpec
from ...runtime.kernel.kernel import Cost, Kernel
from ...runtime.kernel.library import Library, with_flat_tensors
from ...runtime.kernels import standard_library
from ...runtime.tensors.tensors import ShapeParam, Tensor
from ..packages.compiled.kernels import OtherDims
from ..packages.packages import Packages
from ..rules import (
    AND,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_WIDTH,
    EARLY,
    EQ,
    OK,
    SAME_ENCODING,
    Expr,
    Op,
    Rule,
    RuleSet,
    rule,
)
from ..rules.graph.graph import OpTables
from ..rules.soundness.case import DrawnCase
from ..rules.soundness.drawing.data import real_values
from ..rules.soundness.run import NotRun, Outputs, Trial, calibrate
from ..rules.soundness.search import Searcher, SearchResult
from .guarded import guarded

_REFUSES = re.compile(r"the kernel of \S+ (returns|cannot go on: )")
_LATE = "runs for more than"
NO_GRAPH = "no graph was found that fits; declare the op with tensors that the kernel takes"
"""The obstacle of a kernel that never ran."""
_NUMBERS = re.compile(r"\[[\d, ]*\]|-?\d[\d.x]*( x \d+)*(, [\d.x]+)*")
REFERENCE = "REFERENCE_OP"
"""The macro by which sources choose reference bodies in place of others."""
_SIZES = (
    OK,
    EQ(DIM_DEPTH("*"), 1),
    EQ(DIM_DEPTH("*"), 33),
    EQ(DIM_DEPTH("*"), 131),
    EQ(DIM_WIDTH("*"), 67),
    EQ(DIM_HEIGHT("*"), 11),
)
"""Sizes of results: any, and some that fill neither vectors nor chunks."""
_LARGEST = 2**24
"""Elements of a result that nobody declares, at most."""
_ATTEMPTS = 40
"""Graphs that are drawn for one case, at most."""
_TOLERANCE = {DType.Float32: 1e-5, DType.Float16: 4e-3}
"""Largest error of floats, relative to the result's largest value and at least to 1."""


@dataclass
class KernelReport:
    """A kernel's check: the reference's name, the number of cases, and those that failed by kind.

    `examples` has the first failure of each kind, `refused` counts graphs that it or the reference
    does not take, and `obstacle` says why there was no case. `alike` counts cases, and the good
    ones, whose codes all have one encoding; it is made of a kernel that fails on others.
    """

    kernel: Kernel
    reference: str = ""
    cases: int = 0
    refused: int = 0
    failures: Counter[str] = field(default_factory=Counter[str])
    examples: dict[str, str] = field(default_factory=dict[str, str])
    obstacle: str = ""
    alike: tuple[int, int] = (0, 0)

    def add(self, failure: str) -> None:
        """Count a case; failures that differ in numbers alone are of one kind."""
        self.cases += 1
        if failure:
            kind = _NUMBERS.sub("#", failure)
            self.failures[kind] += 1
            self.examples.setdefault(kind, failure)

    def lines(self) -> list[str]:
        """Write the report as a line, and one for each way to fail."""
        beside = f" beside {self.reference}" if self.reference else ", without another kernel"
        head = f"{self.kernel.op}: {self.kernel.name}"
        if self.obstacle:
            return [f"{head}: not checked: {self.obstacle}"]
        good = self.cases - self.failures.total()
        left = f"; {self.refused} more were not taken" if self.refused > self.cases else ""
        lines = [f"{head}{beside}: {good} of {self.cases} cases good{left}"]
        worst = self.failures.most_common()
        lines += [f"  {counted(n, 'case')}: {self.examples[kind]}" for kind, n in worst]
        drawn, good = self.alike
        alike = f"  where results have the encoding of operands: {good} of {drawn} cases good"
        return [*lines, alike] if drawn else lines


def check_kernels(
    packages: Packages,
    name: str,
    *,
    seed: int,
    cases: int,
    tolerance: float | None = None,
    others: Packages | None = None,
) -> Iterator[KernelReport]:
    """Check each kernel of a package that has a body on `cases` graphs for each kind of size.

    `tolerance` replaces the largest error of floats. `others` are the same packages with other
    bodies: a kernel without a reference is compared with its own name there.
    """
    member = next(member for member in packages if member.name == name)
    for op in member.ops:
        kernels = packages.kernels.kernels(op.name)
        bodies = others.kernels.kernels(op.name) if others else ()
        for kernel in kernels:
            reference = reference_of(
                kernel, [k for k in kernels if k is not kernel and not k.lacks]
            )
            if reference is None:
                other = next((k for k in bodies if k.name == kernel.name and not k.lacks), None)
                reference = other and replace(other, name=f"its body with {REFERENCE}")
            if reference is None and _is_generic(kernel) and len(kernels) > 1:
                continue
            yield KernelTrial(packages, op, kernel, reference, tolerance).report(seed, cases)


def _is_generic(kernel: Kernel) -> bool:
    return all(slot.takes in (Tensor, ShapeParam) for slot in (*kernel.outputs, *kernel.inputs))


def reference_of(kernel: Kernel, others: Sequence[Kernel]) -> Kernel | None:
    """Return the kernel to compare with: generic before others, then the dearest; None for none."""

    def rank(other: Kernel) -> tuple[bool, float]:
        cost = other.cost.value if isinstance(other.cost, Cost) else Cost.SNAIL.value
        return _is_generic(other), cost

    if _is_generic(kernel):
        return None
    counts = len(kernel.outputs), len(kernel.inputs)
    alike = [k for k in others if (len(k.outputs), len(k.inputs)) == counts]
    alike = [k for k in alike if rank(k) > rank(kernel)]
    return max(alike, key=rank, default=None)


@dataclass(frozen=True)
class KernelTrial:
    """One kernel beside its reference."""

    packages: Packages
    op: type[NativeOp]
    kernel: Kernel
    reference: Kernel | None
    tolerance: float | None

    def report(self, seed: int, cases: int) -> KernelReport:
        """Draw graphs of the op and run the kernel on each."""
        report = KernelReport(self.kernel, self.reference.name if self.reference else "")
        if self.kernel.lacks:
            report.obstacle = f"it {self.kernel.lacks}"
            return report
        declare = self.op.TO_DECLARE.splitlines()[-1] if self.op.TO_DECLARE else ""
        if self.reference is None and declare:
            report.obstacle = f"nothing says what the op computes; {declare}"
            return report
        library = self.library(self.kernel)
        reference = self.library(self.reference) if self.reference else None
        random = Random(f"{seed} {self.kernel.op} {self.kernel.name}")
        for size in _SIZES:
            for case in self.drawn(size, random, cases, reference or library):
                try:
                    report.add(why := self._failure(case, library, reference))
                except NotRun as error:
                    report.refused += 1
                    said = _REFUSES.match(error.faults[0].problem)
                    # A kernel that fails in another way is wrong, unless it is the reference.
                    who = "it" if said else "its reference"
                    why = f"{who} runs on no graph: {error.faults[0].problem}"
                    guessed = declare and (said is None or said[1] == "returns")
                    report.obstacle = f"{why}; {declare}" if guessed else why
                if _LATE in why:  # Each further case may take as long.
                    return report
        if report.failures:
            report.alike = self._alike(random, cases, library, reference)
        if report.cases:
            report.obstacle = ""
        elif not report.obstacle:
            report.obstacle = NO_GRAPH
        return report

    def library(self, kernel: Kernel) -> Library:
        """Return the library with a kernel alone, between guard bytes."""
        return standard_library().extended([with_flat_tensors(kernel, guarded)])

    def drawn(
        self, size: Expr | bool, random: Random, cases: int, library: Library
    ) -> list[DrawnCase]:
        """Draw graphs of the op alone, with tensors that the kernel takes."""
        operands = [f"t{index}" for index in range(len(self.kernel.inputs))]
        name = "::".join(self.op.name.partition(".")[::2])
        alone: Rule = rule(EARLY, Op(name, *operands), size, Op(name, *operands), name="check")
        tables = OpTables(self.packages.properties, self.library(self.kernel).kernels)
        rule_set = RuleSet((alone,), ops=self.packages.rules.ops, tables=tables)
        result = SearchResult()
        Searcher(alone, rule_set).search(random, cases, _ATTEMPTS * cases, result)
        calibrate(result.cases, library)
        return result.cases

    def _alike(
        self, random: Random, cases: int, library: Library, reference: Library | None
    ) -> tuple[int, int]:
        """Return how many cases were drawn whose codes all have one encoding, and were good."""
        takes = self.kernel.outputs[0].takes
        alike = [f"t{at}" for at, slot in enumerate(self.kernel.inputs) if slot.takes is takes]
        same = AND(*(SAME_ENCODING("*", name) for name in alike))
        failures: list[str] = []
        for case in self.drawn(same, random, cases, reference or library) if alike else ():
            slots = [*case.root.results, *case.root.operands]
            codes = {case.spec(slot).quant for slot in slots if slot in case.specs} - {None}
            if len(codes) == 1:
                with suppress(NotRun):
                    failures.append(self._failure(case, library, reference))
        return len(failures), failures.count("")

    def _failure(self, case: DrawnCase, library: Library, reference: Library | None) -> str:
        """Return what a kernel does wrong on a graph, with the shapes; empty for nothing.

        NotRun where a kernel does not take the graph, as where the op was guessed wrongly.
        """
        slots = case.root.operands
        shapes = ", ".join("x".join(map(str, case.spec(s).shape)) for s in slots if s in case.specs)
        trial, before = run_free(case, reference) if reference else (Trial([case]), {})
        try:
            after = trial.run(library)
        except NotRun as error:
            # By a status of its own a kernel refuses tensors that it does not take, and what
            # this place lacks is not its fault.
            if _REFUSES.match(error.faults[0].problem):
                raise
            return f"{error.faults[0].problem}, of {shapes}"
        for slot, name in trial.placed[0].results.items():
            expected = before.get(name, after[name])
            if why := self.difference(expected, after[name], case.spec(slot)):
                return f"{why}, of {shapes}"
        return ""

    def difference(self, before: Array, after: Array, spec: TensorSpec) -> str:
        """Say where two results differ by more than a step or the tolerance."""
        first, second = (real_values(each, spec).astype(np.float64) for each in (before, after))
        largest = float(np.max(np.abs(first[np.isfinite(first)]), initial=0.0))
        allowed = (self.tolerance or _TOLERANCE.get(spec.dtype, 0.0)) * max(1.0, largest)
        if spec.quant is not None:
            allowed = spec.quant.scale * 1.01
        with np.errstate(all="ignore"):
            near = np.abs(first - second) <= allowed
        wrong = ~(near | (first == second) | (np.isnan(first) & np.isnan(second)))
        if not wrong.any():
            return ""
        at = tuple(int(index) for index in np.argwhere(wrong)[0])
        place = f"{int(wrong.sum())} of {wrong.size} elements differ, the first at {list(at[1:])}"
        return f"{place}: {second[at]:g}, the reference gives {first[at]:g}"


def run_free(case: DrawnCase, library: Library) -> tuple[Trial, Outputs]:
    """Run a graph; results that nobody declares get the dims that the kernel sets.

    A kernel may end at each result that it has more dims for. NotRun where it does not run.
    """
    for _ in case.root.results:
        trial = Trial([case])
        try:
            return trial, trial.run(library)
        except NotRun as error:
            if not _takes_dims(case, error):
                raise
    trial = Trial([case])
    return trial, trial.run(library)


def _takes_dims(case: DrawnCase, error: BaseException | None) -> bool:
    """Give results that nobody declares the dims that a kernel sets; False where it set none."""
    while error is not None and not isinstance(error, OtherDims):
        error = error.__cause__
    native = case.root.op_class
    if error is None or not issubclass(native, NativeOp) or not native.leaves_results_free():
        return False
    if max(map(prod, error.dims)) > _LARGEST:
        return False
    for slot, dims in zip(case.root.results, error.dims, strict=True):
        case.specs[slot] = case.specs[slot].with_shape(dims)
    return True
