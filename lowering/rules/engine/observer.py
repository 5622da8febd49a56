"""Observers of a run of rules, such as statistics and explanations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..definition.rule import Rule
from .run import Run
from .stats import RuleStats


class Observer:
    """A listener to `run_rules` that must not change the graph; this one does nothing."""

    def begins(self, run: Run) -> None:
        """Hear that a run begins; an error raised here ends it."""

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """Hear that a pass group begins with a function; `members` are its rules."""

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """Hear that the group's rules are tried at an op, except those that made it."""

    def fired(self, rule: Rule, root: Operation, new: Sequence[Operation]) -> None:
        """Hear that a rule fired: `new` replaces `root`, which is erased."""

    def ends(self, stats: RuleStats) -> None:
        """Hear that the run is over."""


_CURRENT: ContextVar[tuple[Observer, ...]] = ContextVar("observers", default=())


@contextmanager
def observing(*observers: Observer) -> Iterator[None]:
    """Let these observers hear of each run of rules inside the block, in any pass."""
    token = _CURRENT.set((*_CURRENT.get(), *observers))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def observers() -> tuple[Observer, ...]:
    """Return the current observers."""
    return _CURRENT.get()
