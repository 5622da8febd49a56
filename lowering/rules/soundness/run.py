"""Runs of cases, all in one module, before and after a rule.

A graph that overflows before the rule says nothing about it. Spelled out in Float16,
exp(12) / sum(exp(12)) is infinity / infinity; a Softmax gives 1. No rule could keep a number that
the graph itself lost to its dtype. So a case is set apart where a value is infinite in Float16, and
in the same graph of Float32 finite and beyond the largest Float16. An infinity of the inputs is one
in both graphs, and so is one that a division by 0 gives: these are compared. Float32 has no wider
kernels here, so nothing of Float32 counts as overflow.

Two outputs are compared up to the first place where they differ by more than rounding.

Real models are calibrated: the result of a quantised op fits its encoding. A rewrite that drops an
inner result may drop its rounding too; but where an inner result saturates, the outputs before and
after cannot be compared. So inner results get encodings whose range holds the values of the case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError, counted
from ....dialects.htp import NATIVE_OPS, NativeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.spec_of import Array
from ....dialects.value import DType, Quant, TensorSpec
from ....runtime import Session, standard_library
from ....runtime.kernel.library import Library, anywhere
from ..definition.rule import RuleSet
from ..engine.engine import op_classes, run_rules
from ..graph.env import RELAXED, silent
from ..graph.graph import resolve
from ..tree.expr import OUT, required_forms
from .case import STEPS, DrawnCase, Graph, Numbers, Placed, place
from .drawing.constraint_system import IntVar
from .drawing.data import real_values
from .drawing.template import Slot, Source

Outputs = Mapping[str, Array]


class NotRun(HtpError):
    """A module that does not run, for want of a kernel or in one: this says nothing of the rule."""


class Trial:
    """A module that holds cases of one rule."""

    def __init__(self, cases: Sequence[DrawnCase], numbers: Numbers = Numbers.DRAWN) -> None:
        graph = Graph(native=not any(case.in_graph for case in cases))
        alone = len(cases) == 1
        self.placed = [
            place(case, graph, "" if alone else f"c{n}_", numbers) for n, case in enumerate(cases)
        ]
        self.module: ModuleOp = graph.module()
        self.inferences = STEPS if any(case.stateful for case in cases) else 1

    def run(self, library: Library | None) -> Outputs:
        """Return all outputs, inferences along a leading axis; NotRun where the module fails."""
        try:
            return self._run(library)
        except HtpError as error:
            raise NotRun(*error.faults) from error

    def _run(self, library: Library | None) -> Outputs:
        # Wherever a tensor is, its numbers are the same: copies that rules place are left out.
        module = self.module
        if any(isinstance(op, CopyOp) for op in module.walk()):
            module = module.clone()
            for op in [op for op in module.walk() if isinstance(op, CopyOp)]:
                Rewriter.replace_op(op, (), [op.operands[0]])
        session = Session(module, library=library)
        outputs: dict[str, list[Array]] = {name: [] for name in session.outputs}
        for step in range(self.inferences):
            feeds = {
                name: array[step] if placed.case.stateful else array
                for placed in self.placed
                for name, array in placed.feeds.items()
            }
            for name, array in session.run(feeds).items():
                outputs[name].append(np.asarray(array))
        return {name: np.stack(arrays) for name, arrays in outputs.items()}

    def rewrite(self, rules: RuleSet) -> None:
        """Run the rule; HtpError where it makes no valid graph."""
        run_rules(self.module, rules, self.placed[0].case.options, report=silent)

    def fired(self, placed: Placed) -> bool:
        """The rule replaced the case's root; a root with effects remains, unread."""
        return placed.root.parent is None or not placed.root.results[0].uses


_TOLERANCE = {DType.Float32: 1e-5, DType.Float16: 4e-3}
"""Largest error of floats, relative to the output's scale and at least to 1.

The data is of scale 1, so sums that cancel leave an error of that scale.
"""
_STEPS = 1
"""Largest error of quantised results in steps: sums in another order differ in the last bit."""


def difference(
    before: Array, after: Array, spec: TensorSpec, noise: float, relaxed: bool = False
) -> str | None:
    """Say where two outputs differ by more than rounding; None where they agree.

    The arrays are stored values of several inferences along a new leading axis. `noise` is the
    error of the graph before from rounding inner quantised results; twice that is allowed, since a
    rewrite may round elsewhere. `relaxed`: floats are compared as Float16 is.
    """
    if before.shape != after.shape:
        return f"shape {before.shape} before, {after.shape} after"
    first, second = _reals(before, spec), _reals(after, spec)
    with np.errstate(all="ignore"):
        near = np.abs(first - second) <= _allowed(first, spec, relaxed) + 2 * noise
        wrong = ~(near | (first == second) | (np.isnan(first) & np.isnan(second)))
    if not wrong.any():
        return None
    place = tuple(int(index) for index in np.argwhere(wrong)[0])
    step = f"inference {place[0]}, " if len(before) > 1 else ""
    where = f"{int(wrong.sum())} of {wrong.size} elements, the first at {step}{list(place[1:])}"
    return f"{where}: {first[place]:g} before, {second[place]:g} after"


def noise_of(stored: Array, exact: Array, spec: TensorSpec) -> float:
    """Return the largest error of stored values against the values without rounding."""
    with np.errstate(all="ignore"):
        errors = np.abs(_reals(stored, spec) - exact.astype(np.float64))
    return float(np.max(errors[np.isfinite(errors)], initial=0.0))


def _allowed(values: Array, spec: TensorSpec, relaxed: bool) -> float:
    if spec.quant is not None:
        return spec.quant.scale * (_STEPS + 0.01)
    if spec.dtype not in _TOLERANCE:
        return 0.0
    finite = np.abs(values[np.isfinite(values)])
    tolerance = _TOLERANCE[DType.Float16 if relaxed else spec.dtype]
    return tolerance * max(1.0, float(np.max(finite, initial=0.0)))


def _reals(array: Array, spec: TensorSpec) -> Array:
    return real_values(array, spec).astype(np.float64)


_LARGEST = float(np.finfo(np.float16).max)
"""The largest finite number of Float16."""


def overflows(case: DrawnCase, library: Library | None) -> bool:
    """Report if a value of the graph leaves the range of Float16.

    The graph runs twice more. One that does not run in Float32 does not overflow.
    """
    halves = {slot for slot, spec in case.specs.items() if spec.dtype is DType.Float16}
    if not halves:
        return False
    try:
        trials = [Trial([case], numbers) for numbers in (Numbers.SHOWN, Numbers.WIDE)]
        shown, wide = (trial.run(library) for trial in trials)
    except (HtpError, VerifyException):
        return False
    names = [name for slot, name in trials[0].placed[0].results.items() if slot in halves]
    return any(_lost(shown[name], wide[name]) for name in names)


def _lost(half: Array, single: Array) -> bool:
    """Report if an element is infinite as a half, and a larger finite number as a single."""
    beyond = np.isfinite(single) & (np.abs(single) > _LARGEST)
    return bool((np.isinf(half) & beyond).any())


@dataclass(frozen=True)
class Failure:
    """A case that a rule breaks, and the reason; `invalid`: what it makes is not a valid graph."""

    case: DrawnCase
    reason: str
    invalid: bool = False

    @property
    def tells(self) -> bool:
        """The rule is wrong: other numbers, or no valid graph though no op of it was guessed."""
        return not (self.invalid and self.case.guesses)


@dataclass
class Verdict:
    """Good cases, broken cases, and the reasons why others say nothing about the rule.

    `overflowed` is the number of cases that say nothing since they overflow before the rule.
    """

    good: list[DrawnCase] = field(default_factory=list[DrawnCase])
    failures: list[Failure] = field(default_factory=list[Failure])
    overflowed: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True)
class Bench:
    """A rule with its ops and functions, and the kernels for the graphs."""

    rules: RuleSet
    library: Library

    @classmethod
    def of(cls, rules: RuleSet, library: Library | None) -> Bench:
        """Make a bench on which kernels of packages take their tensors wherever they are."""
        known = library or standard_library()
        users = [name for name, op in rules.ops.items() if op not in NATIVE_OPS.values()]
        kernels = [kernel for name in users for kernel in known.kernels.kernels(name)]
        return cls(rules, known.extended(anywhere(kernels)))

    @property
    def relaxed(self) -> bool:
        """The rule asks for relaxed precision: floats are compared as halves are."""
        return RELAXED in self.rules.options

    def obstacle(self) -> str:
        """Return why no graph with the rule's ops can be run; empty where one can.

        The project's own ops without kernels, such as constants, do not matter.
        """
        kernels = self.library.kernels
        users = {name for name, op in self.rules.ops.items() if op not in NATIVE_OPS.values()}
        classes = op_classes(self.rules)
        for rule in self.rules:
            built = rule.ops_in(rule.replacement)
            for op, name in built.items():
                if op not in classes and name != OUT:
                    return f"no package has {op}, which the rule builds"
            for op in (*rule.ops_in(rule.match), *built):
                lacking = [kernel.lacks for kernel in kernels.kernels(op)]
                if not lacking and op in users:
                    return f"{op} has no kernel"
                if lacking and all(lacking):
                    return f"{op} {lacking[0]}"
            for form in required_forms(rule.match):
                op, count = resolve(form.name, rule.package), len(form.inputs)
                own = kernels.kernels(op) if op in users and not form.at_least else ()
                if own and all(kernel.slots_for(count) is None for kernel in own):
                    # As where the rule fills in a param that is absent.
                    return (
                        f"the match gives {op} {counted(count, 'operand')}: no kernel takes it so"
                    )
        return ""


def guessed(rules: RuleSet) -> list[str]:
    """Return, for each op in rules of which only a guess is known, the lines that declare it."""
    names = (op for r in rules for part in (r.match, r.replacement) for op in r.ops_in(part))
    ops = (rules.ops.get(name) for name in dict.fromkeys(names))
    lines = (op.TO_DECLARE for op in ops if op is not None and issubclass(op, NativeOp))
    return list(filter(None, lines))


def judge(cases: Sequence[DrawnCase], bench: Bench) -> Verdict:
    """Run cases together, or one by one where together something fails."""
    verdict = Verdict()
    groups: dict[int, list[DrawnCase]] = {}
    for case in cases:
        groups.setdefault(id(case.options), []).append(case)
    for group in groups.values():
        _judge(group, bench, verdict)
    return verdict


def _judge(cases: Sequence[DrawnCase], bench: Bench, verdict: Verdict) -> None:
    trial = Trial(cases)
    try:
        before = trial.run(bench.library)
    except HtpError as error:
        if len(cases) == 1:
            verdict.refused[f"the graph does not run: {error.faults[0].line()}"] += 1
        _one_by_one(cases, bench, verdict)
        return
    try:
        trial.rewrite(bench.rules)
        after = trial.run(bench.library)
    except NotRun as error:
        if len(cases) == 1:
            verdict.refused[f"what the rule makes does not run: {error.faults[0].line()}"] += 1
        _one_by_one(cases, bench, verdict)
        return
    except HtpError as error:
        if len(cases) == 1:
            verdict.failures.append(
                Failure(cases[0], "; ".join(f.problem for f in error.faults), invalid=True)
            )
        _one_by_one(cases, bench, verdict)
        return
    for placed in trial.placed:
        if trial.fired(placed):
            _compare(placed, before, after, bench, verdict)
        else:
            verdict.refused["the rule leaves the graph as it is"] += 1


def _one_by_one(cases: Sequence[DrawnCase], bench: Bench, verdict: Verdict) -> None:
    if len(cases) > 1:
        for case in cases:
            _judge([case], bench, verdict)


def _compare(
    placed: Placed, before: Outputs, after: Outputs, bench: Bench, verdict: Verdict
) -> None:
    case = placed.case
    noise = 0.0
    if case.exact_output is not None:
        root = case.root.results[0]
        noise = noise_of(before[placed.results[root]], case.exact_output, case.spec(root))
    failure: Failure | None = None
    for slot, name in placed.results.items():
        text = difference(before[name], after[name], case.spec(slot), noise, bench.relaxed)
        if text is not None:
            failure = Failure(case, f"output '{name}': {text}")
            break
    is_finite = all(np.isfinite(before[name]).all() for name in placed.results.values())
    if not (is_finite and failure is None) and overflows(case, bench.library):
        verdict.overflowed += 1
    elif failure is None:
        verdict.good.append(case)
    else:
        verdict.failures.append(failure)


_LEAST_SCALE, _MARGIN = 1e-3, 1.05
Encoding = tuple[IntVar, IntVar]


def calibrate(cases: Iterable[DrawnCase], library: Library | None) -> None:
    """Fit the encodings of cases that have quantised results before the root's.

    The outputs without rounding are kept in the case.
    """
    fitted = [case for case in cases if case.inner]
    if not fitted:
        return
    try:
        _fit(fitted, library)
    except HtpError:
        for case in fitted if len(fitted) > 1 else []:
            calibrate([case], library)


def _fit(cases: Sequence[DrawnCase], library: Library | None) -> None:
    trial = Trial(cases, Numbers.UNROUNDED)
    outputs = trial.run(library)
    for placed in trial.placed:
        case = placed.case
        case.exact_output = outputs[placed.results[case.root.results[0]]]
        for slots in _computed(case):
            # Further results of the root are outputs only where the case exposes them.
            if arrays := [outputs[placed.results[s]] for s in slots if s in placed.results]:
                quant = _encoding(arrays, case.specs[slots[0]].dtype)
                case.quants.update(dict.fromkeys(slots, quant))


def _computed(case: DrawnCase) -> list[list[Slot]]:
    """Group quantised results by encoding; encodings of inputs and constants are left out."""
    groups: dict[Encoding, list[Slot]] = {}
    for slot, spec in case.specs.items():
        if spec.quant is not None:
            groups.setdefault((slot.zero.root, slot.step.root), []).append(slot)
    return [slots for slots in groups.values() if all(s.source is Source.OP for s in slots)]


def _encoding(arrays: Sequence[Array], dtype: DType) -> Quant:
    """Return the encoding of a dtype that spans the values and 0."""
    values = np.concatenate([array.reshape(-1) for array in arrays]).astype(np.float64)
    finite = values[np.isfinite(values)]
    low = min(0.0, float(np.min(finite, initial=0.0)))
    high = max(0.0, float(np.max(finite, initial=0.0)))
    info = np.iinfo(dtype.storage.str)
    least, most = int(info.min), int(info.max)
    scale = max(_LEAST_SCALE, (high - low) * _MARGIN / (most - least))
    scale = float(f"{scale:.3g}")
    zero = min(max(round(least - low / scale), least), most)
    return Quant((scale,), (zero,))
