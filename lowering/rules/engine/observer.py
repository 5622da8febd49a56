"""Observers of a run of rules, such as statistics and explanations: instruments that hear more."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ....runtime.passes.instrument import Instrument, instruments
from ....runtime.passes.instrument import instrumented as observing
from ..definition.match import Match
from ..definition.rule import Rule
from .run import Run
from .stats import RuleStats

__all__ = ["RuleObserver", "observers", "observing"]


class RuleObserver(Instrument):
    """A listener to `run_rules` that must not change the graph; this one does nothing."""

    def begins(self, run: Run) -> None:
        """Hear that a run begins; an error raised here ends it."""

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """Hear that a pass group begins with a function; `members` are its rules."""

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """Hear that the group's rules are tried at an op, except those that made it."""

    def takes(self, rule: Rule, match: Match) -> None:
        """Hear that a rule is about to replace the root of a match, which covers other ops too."""

    def ends(self, stats: RuleStats) -> None:
        """Hear that the run is over."""


def observers() -> tuple[RuleObserver, ...]:
    """Return the current instruments that are observers of rules."""
    return tuple(each for each in instruments() if isinstance(each, RuleObserver))
