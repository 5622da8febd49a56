"""Being told what a run of rules does: statistics, explanations and the like hang in here."""

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
    """Is told what `run_rules` does; this one does nothing. It must not change the graph."""

    def begins(self, run: Run) -> None:
        """A run is about to begin; an error raised here ends it."""

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """A pass group, with all of its rules, is about to walk a function."""

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """The group's rules are about to be tried at an op, but for those that made it."""

    def fired(self, rule: Rule, root: Operation, new: Sequence[Operation]) -> None:
        """A rule fired: `new` stands in the place of `root`, which is gone."""

    def ends(self, stats: RuleStats) -> None:
        """The run is over."""


_CURRENT: ContextVar[tuple[Observer, ...]] = ContextVar("observers", default=())


@contextmanager
def observing(*observers: Observer) -> Iterator[None]:
    """Tell these about every run of rules inside the block, in whatever pass it happens."""
    token = _CURRENT.set((*_CURRENT.get(), *observers))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def observers() -> tuple[Observer, ...]:
    """Those that are to be told now."""
    return _CURRENT.get()
