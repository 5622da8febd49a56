"""A line for each pass as it ends: its time, and the rules that fired in it."""

from __future__ import annotations

import sys
from collections import Counter
from time import perf_counter
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....runtime.passes.instrument import FiredRule
from ....runtime.passes.notation import one_step
from ....runtime.passes.run import passes_around
from ...rules.engine.observer import RuleObserver

_SHOWN = 3
"""Rules that a line names."""


class Ending(RuleObserver):
    """Prints a line to stderr as each pass ends, also of a pass on a trial copy.

    What fires in an inner pass is told of that one alone.
    """

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self._open: list[tuple[float, Counter[str]]] = []

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._open.append((perf_counter(), Counter()))

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._tell("")

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._tell(", interrupted" if isinstance(error, KeyboardInterrupt) else ", failed")

    def fired(self, rule: FiredRule, *_: object) -> None:
        if self._open:
            self._open[-1][1][rule.name] += 1

    def _tell(self, how: str) -> None:
        start, fired = self._open.pop()
        *outer, step = passes_around()
        path = " > ".join([*(each.name for each in outer), one_step(step)])
        rules = [f"{name} {count}" for name, count in fired.most_common(_SHOWN)]
        rules += [f"{more} more rules"] if (more := len(fired) - _SHOWN) > 0 else []
        told = f"; fired: {', '.join(rules)}" if rules else ""
        print(f"{perf_counter() - start:9.4f} s  {path}{how}{told}", file=sys.stderr)
