"""Runs of cases before and after a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ....dialects.dense import Array
from ....dialects.diagnostics import HtpError
from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp
from ....runtime.kernel.anywhere import anywhere
from ....runtime.kernels import standard_library
from ....runtime.library import Library
from ....runtime.session.session import Session
from ..definition.rule import RuleSet
from ..definition.unknown_ops import ops_in
from ..engine.engine import run_rules
from ..engine.run import op_classes
from ..graph.env import silent
from ..graph.options import RELAXED
from ..tree.expr import OUT
from .build import Placed, place
from .case import STEPS, DrawnCase
from .compare import difference, noise_of
from .graph import Graph

Outputs = Mapping[str, Array]


class NotRun(HtpError):
    """A module that does not run, for want of a kernel or in one: this says nothing of the rule."""


@dataclass(frozen=True)
class Failure:
    """A case that a rule breaks, and the reason; `invalid`: what it makes is no valid graph."""

    case: DrawnCase
    reason: str
    invalid: bool = False

    @property
    def tells(self) -> bool:
        """The rule is wrong: other numbers, or no valid graph though no op of it was guessed."""
        return not (self.invalid and self.case.guesses)


@dataclass
class Verdict:
    """Good cases, broken cases, and the reasons why others say nothing about the rule."""

    good: list[DrawnCase] = field(default_factory=list[DrawnCase])
    failures: list[Failure] = field(default_factory=list[Failure])
    refused: Counter[str] = field(default_factory=Counter[str])


class Trial:
    """A module that holds cases of one rule."""

    def __init__(self, cases: Sequence[DrawnCase], plain: bool = False) -> None:
        graph = Graph(native=not any(case.in_graph for case in cases))
        alone = len(cases) == 1
        self.placed = [
            place(case, graph, "" if alone else f"c{n}_", plain) for n, case in enumerate(cases)
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
        module = self.module.clone()
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

        The project's own ops without kernels, such as constants, are no obstacle.
        """
        kernels = self.library.kernels
        users = {name for name, op in self.rules.ops.items() if op not in NATIVE_OPS.values()}
        classes = op_classes(self.rules)
        for rule in self.rules:
            built = ops_in(rule, rule.replacement)
            for op, name in built.items():
                if op not in classes and name != OUT:
                    return f"no package has {op}, which the rule builds"
            for op in (*ops_in(rule, rule.match), *built):
                lacking = [kernel.lacks for kernel in kernels.kernels(op)]
                if not lacking and op in users:
                    return f"{op} has no kernel"
                if lacking and all(lacking):
                    bind = f': @bodies.body("{op.partition(".")[2]}")' * (lacking[0] == "body")
                    return f"{op} has no Python {lacking[0]}{bind}"
        return ""


def guessed(rules: RuleSet) -> list[str]:
    """Return, for each op in rules of which only a guess is known, the line that declares it."""
    names = (op for r in rules for part in (r.match, r.replacement) for op in ops_in(r, part))
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
    for slot, name in placed.results.items():
        text = difference(before[name], after[name], case.spec(slot), noise, bench.relaxed)
        if text is not None:
            verdict.failures.append(Failure(case, f"output '{name}': {text}"))
            return
    verdict.good.append(case)
