"""Instruments: what follows a run of passes, such as timing, printing and verification.

A pass may run others inside itself, and rules in pass groups; instruments hear of them all, each
between the begin and the end of the pass around it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.faults.arguments import a, arguments


class FiredRule(Protocol):
    """A rule as instruments see it."""

    @property
    def name(self) -> str:
        """The rule's name."""

    @property
    def label(self) -> str:
        """The rule's name and the place that defines it."""


class Instrument:
    """A listener to runs of passes that must not change the module; this one does nothing."""

    hears_trials: ClassVar[bool] = False
    """It also hears of passes on a copy that may be thrown away."""

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        """Hear that a pass is about to run; an error raised here ends the run."""

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Hear that a pass has run; an error raised here ends the run."""

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        """Hear, instead of `after`, that a pass or an instrument before this one raised an error.

        The innermost pass comes first.
        """

    def group_begins(self, group: str, function: FuncOp) -> None:
        """Hear that a pass group, such as `TILING+2`, begins with a function."""

    def group_ends(self, group: str, function: FuncOp) -> None:
        """Hear that a pass group is done with a function."""

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        """Hear that a rule fired: `new` replaces `root`, which is erased."""

    def stays(self, op: Operation, reason: str) -> None:
        """Hear that an op stays in floats where others become integers, and why."""


_CURRENT: ContextVar[tuple[Instrument, ...]] = ContextVar("instruments", default=())


@arguments(instruments=a("an instrument", Instrument))
@contextmanager
def instrumented(*instruments: Instrument, first: bool = False) -> Iterator[None]:
    """Let these instruments follow the passes inside the block, besides those that do already.

    They hear of each pass behind those, or `first`: what they refuse has then failed for all.
    """
    current = _CURRENT.get()
    token = _CURRENT.set((*instruments, *current) if first else (*current, *instruments))
    try:
        yield
    finally:
        _CURRENT.reset(token)


@contextmanager
def trial() -> Iterator[None]:
    """Hide the passes inside the block from all instruments but those that hear of trials."""
    token = _CURRENT.set(tuple(each for each in _CURRENT.get() if each.hears_trials))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def instruments() -> tuple[Instrument, ...]:
    """Return the current instruments."""
    return _CURRENT.get()
