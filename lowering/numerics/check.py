"""Differential testing of a pipeline: the module is run behind every pass and every pass group.

The outputs of the first module are the reference. The first module behind which they differ names
the pass and the group; replays of that pass find the firing, and its change the op.

Cost: a run of the module for each pass and each group in which a rule fired, and, once something
differs, the replays. Example: passes A, B, C; behind A the outputs agree, behind B, in whose group
EARLY 8 rules fired, they differ: B is replayed up to its firings 1, 2, ... until the numbers
change.

A pass is deterministic: run again on a copy of the module before it, its rules fire in the same
order. A replay stops behind the n-th firing, where the module is whole. Up to 64 firings are looked
at in order; of more the search halves them first, in log2(n) replays, and then an early one of
several wrong firings is found. A module that cannot run is passed over.

Example: the module is right behind firing 0 and wrong behind firing 100. It is right behind 50, 51
and 52, and wrong behind 53: firing 53 is named.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import Context as ContextVars
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.diagnostics import HtpError, counted, fail
from ...dialects.locations import origins_text
from ...dialects.spec_of import Array
from ...runtime.kernel.library import Library
from ...runtime.passes import FiredRule, Instrument, instrumented, passes_around
from ...runtime.passes.notation import one_step
from .runs import (
    Change,
    Culprit,
    Deviation,
    Inputs,
    ModuleSnapshot,
    Outputs,
    culprit_of,
    deviation,
    feeds_for,
    outputs_of_run,
)

Judge = Callable[[ModuleOp], bool | None]
"""Tells whether a module gives the right numbers; None where it cannot run."""


_IN_ORDER = 64
"""Number of firings that are looked at one by one."""


class _Stop(BaseException):
    """Ends a replay; no error, so that no pass turns it into one."""


@dataclass(frozen=True)
class GuiltyFiring:
    """The firing that changed the numbers, by its number in the pass from 1 on.

    `root` is the op's name, with the nodes and places that it comes from.
    `others` are the rules that fired just before, between states that cannot run.
    """

    number: int
    rule: str
    root: str
    others: Sequence[str]
    change: Change


class _Counter(Instrument):
    """Stops behind a firing, and copies the module behind an earlier one."""

    def __init__(self, module: ModuleOp, copied: int, last: int) -> None:
        self._module, self._copied, self._last = module, copied, last
        self._count = 0
        self.snapshot = ModuleSnapshot(module)
        self.rules: list[tuple[str, str]] = []
        self._at(0)

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        """Count a firing."""
        self._count += 1
        if self._count > self._copied:
            origins = origins_text(root)
            self.rules.append((rule.label, root.name + (f" from {origins}" if origins else "")))
        self._at(self._count)
        if self._count == self._last:
            raise _Stop

    def _at(self, count: int) -> None:
        if count == self._copied:
            self.snapshot = ModuleSnapshot.of(self._module)


def first_firing(
    ctx: Context, step: ModulePass, start: ModuleOp, right: int, wrong: int, judge: Judge
) -> GuiltyFiring | None:
    """Find the first firing of a pass behind which the numbers are wrong.

    They are right behind firing number `right` and wrong behind `wrong`; `start` is the module
    before the pass. None where a replay does not repeat the pass.
    """
    while wrong - right > _IN_ORDER:
        middle = (right + wrong) // 2
        states = (n for n in (*range(middle, wrong), *range(middle - 1, right, -1)))
        verdicts = ((n, judge(_replay(ctx, step, start, n, n)[1])) for n in states)
        number, is_right = next((each for each in verdicts if each[1] is not None), (0, None))
        if is_right is None:
            break
        right, wrong = (number, wrong) if is_right else (right, number)
    for number in range(right + 1, wrong):
        is_right = judge(_replay(ctx, step, start, number, number)[1])
        if is_right is False:
            wrong = number
            break
        right = number if is_right else right
    counter, module = _replay(ctx, step, start, right, wrong)
    if len(counter.rules) != wrong - right or judge(module) is not False:
        return None
    *others, (rule, root) = counter.rules
    change = Change.since(counter.snapshot, module)
    return GuiltyFiring(wrong, rule, root, [label for label, _ in others], change)


def _replay(
    ctx: Context, step: ModulePass, start: ModuleOp, copied: int, last: int
) -> tuple[_Counter, ModuleOp]:
    """Run a pass on a copy up to a firing; copy the module behind an earlier one."""
    module = start.clone()
    counter = _Counter(module, copied, last)

    def run() -> None:
        with instrumented(counter), suppress(_Stop):
            step.apply(ctx, module)

    # In a context of its own: no other instrument hears of it.
    ContextVars().run(run)
    return counter, module


@dataclass(frozen=True)
class FirstChange:
    """The place where numbers change: the pass, the group and firing in it, the op, the output.

    `unsure` are steps before it whose modules cannot run.
    """

    passes: str
    group: str
    firing: GuiltyFiring | None
    change: Change
    culprit: Culprit | None
    deviation: Deviation
    unsure: Sequence[str]


Report = Callable[[FirstChange, Inputs], HtpError]
"""Writes what shows a finding, and makes the error."""


@dataclass
class _Running:
    """A running pass: the module before it, its firings, and how many led to the last right one."""

    snapshot: ModuleSnapshot
    firings: int = 0
    right: int = 0
    at_group: int = 0


@dataclass
class Tally:
    """A count of passes and groups that agree, the steps that cannot run, the largest error.

    `idle` of the passes changed nothing. The error is in units of what is allowed.
    """

    passes: int = 0
    idle: int = 0
    groups: int = 0
    skipped: list[str] = field(default_factory=list)
    worst: float = 0.0


class NumericsCheck(Instrument):
    """Runs the module after every pass, and after every pass group in which a rule fired.

    The first module that gives other numbers than the one before all passes ends the run, with the
    error that `report` makes. A module that cannot run between two passes is passed over.
    """

    def __init__(
        self,
        ctx: Context,
        library: Library,
        feeds: Mapping[str, Array],
        seed: int,
        tolerance: float | None,
        report: Report,
    ) -> None:
        self._ctx, self._library, self._feeds = ctx, library, feeds
        self._seed, self._tolerance = seed, tolerance
        self._report = report
        self._inputs: Inputs | None = None
        self._wanted: Outputs | None = None
        self._running: list[_Running] = []
        self._right = ModuleSnapshot(ModuleOp([]))
        self._unsure: list[str] = []
        self.tally = Tally()

    def summary(self) -> str:
        """Return a line about a run in which nothing differs; HtpError if nothing was compared."""
        skipped, outputs = ", ".join(self.tally.skipped), self._wanted and self._wanted.tolerances
        if not outputs or not (self.tally.passes or self.tally.groups):
            why = f"the module does not run behind {skipped}" if skipped else "no pass ran"
            why = "the module has no outputs" if self._wanted and not outputs else why
            raise fail("htp numerics", f"no number was compared: {why}", "look at it with htp-run")
        it, count = self.tally, len(self._inputs.feeds) if self._inputs else 0
        groups = f" ({it.idle} changed nothing)" if it.idle else ""
        groups += f" and {counted(it.groups, 'pass group')}" if it.groups else ""
        line = (
            f"numbers agree behind {counted(it.passes, 'pass', 'es')}{groups}, "
            f"over {counted(count, 'inference')}; "
            f"the largest error is {it.worst:.2g} of what is allowed"
        )
        return f"{line}; not run: {skipped}" if skipped else line

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        """Run the first module; copy every one."""
        if self._inputs is None:
            feeds = feeds_for(module, self._library, self._feeds, self._seed)
            self._inputs = Inputs(feeds, self._library, self._tolerance)
            self._wanted = outputs_of_run(module, self._inputs)
        self._running.append(_Running(ModuleSnapshot.of(module)))
        if not self._unsure:
            self._right = self._running[-1].snapshot

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Run the module behind a pass."""
        is_right = self._look(module, one_step(step), "")
        snapshot = self._running.pop().snapshot
        self.tally.passes += is_right
        self.tally.idle += is_right and snapshot.module.is_structurally_equivalent(module)
        if is_right and self._running:
            # What runs next in the pass around this one begins with a right module.
            self._running[-1].right = self._running[-1].firings

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        """Forget the pass."""
        self._running.pop()

    def group_begins(self, group: str, function: FuncOp) -> None:
        """Note how many rules fired before the group."""
        if self._running:
            self._running[-1].at_group = self._running[-1].firings

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        """Count a firing."""
        if self._running:
            self._running[-1].firings += 1

    def group_ends(self, group: str, function: FuncOp) -> None:
        """Run the module behind a pass group in which a rule fired."""
        if not self._running or self._running[-1].firings == self._running[-1].at_group:
            return
        module = function.parent_op()
        if isinstance(module, ModuleOp) and self._look(module, f"group {group}", group):
            self._running[-1].right = self._running[-1].firings
            self.tally.groups += 1

    def _look(self, module: ModuleOp, name: str, group: str) -> bool:
        """Tell whether a module gives the right numbers; raise the report where it does not."""
        verdict = self._judged(module)
        if verdict is None:
            self._unsure.append(name)
            self.tally.skipped.append(name)
            return False
        if isinstance(verdict, Deviation):
            inputs, finding = self._finding(module, group, verdict)
            raise self._report(finding, inputs)
        self._unsure.clear()
        self.tally.worst = max(self.tally.worst, verdict)
        return True

    def _judged(self, module: ModuleOp) -> Deviation | float | None:
        """Return what differs, else the largest error; None for a module that cannot run."""
        if self._inputs is None or self._wanted is None:
            return None
        try:
            result = outputs_of_run(module, self._inputs)
        except HtpError:
            return None
        worst, error = deviation(result, self._wanted, self._inputs)
        return worst or error

    def _finding(
        self, module: ModuleOp, group: str, verdict: Deviation
    ) -> tuple[Inputs, FirstChange]:
        """Look for the firing and for the op."""
        running, inputs = self._running[-1], self._inputs
        if inputs is None:
            raise RuntimeError("a module was compared before the first one ran")
        around = passes_around()
        # The firing, if the module before it is known to be right.
        firing = None
        if running.firings > running.right and not self._unsure:
            firing = first_firing(
                self._ctx,
                around[-1],
                running.snapshot.module,
                running.right,
                running.firings,
                self._is_right,
            )
        # The op: of that firing's change, else of all that changed since the last right module.
        change = firing.change if firing else Change.since(self._right, module)
        path = " > ".join([*(each.name for each in around[:-1]), _named(around[-1])])
        unsure = tuple(self._unsure)
        return inputs, FirstChange(
            path, group, firing, change, culprit_of(change, inputs), verdict, unsure
        )

    def _is_right(self, module: ModuleOp) -> bool | None:
        verdict = self._judged(module)
        return None if verdict is None else not isinstance(verdict, Deviation)


def _named(step: ModulePass) -> str:
    """Name a pass with its options, unless they are long."""
    text = one_step(step)
    return text if len(text) <= 60 else step.name
