"""The first firing of a rule that changes the numbers, by replays of its pass.

A pass is deterministic: run again on a copy of the module before it, its rules fire in the same
order. A replay stops behind the n-th firing, where the module is whole. Up to 64 firings are looked
at in order; of more the search halves them first, in log2(n) replays, and then an early one of
several wrong firings is found. A module that cannot run is passed over.

Example: the module is right behind firing 0 and wrong behind firing 100. It is right behind 50, 51
and 52, and wrong behind 53: firing 53 is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context as ContextVars
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.locations import origins_text
from ...runtime.passes.instrument import FiredRule, Instrument, instrumented
from .change import Change, ModuleSnapshot

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
