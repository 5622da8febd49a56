"""Runs of passes one after the other or inside each other, and the instruments that follow them.

An error says which pass it comes from. Instruments are timing, printing, verification and the like.
A pass may run others inside itself, and rules in pass groups; instruments hear of them all, each
between the begin and the end of the pass around it.
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar, Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.arguments import CONTEXT, MANY, MODULE, a, arguments
from ...dialects.faults.op_faults import fail_at, op_at_hand, raised, refusal


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


_REMEDY = "fix the pass; the tools show the traceback with --debug"
_AROUND: ContextVar[tuple[ModulePass, ...]] = ContextVar("passes", default=())


@arguments(ctx=CONTEXT, module=MODULE, step=a("a pass", ModulePass))
def run_pass(ctx: Context, module: ModuleOp, step: ModulePass) -> None:
    """Run a pass on a module, in place; the current instruments follow it.

    HtpError names the pass and the op at hand where the pass raises anything else.
    """
    waiting = []
    token = _AROUND.set((*_AROUND.get(), step))
    try:
        for instrument in instruments():
            instrument.before(step, module)
            waiting.append(instrument)
        with naming(step):
            step.apply(ctx, module)
        while waiting:
            waiting.pop(0).after(step, module)
    except BaseException as error:
        for instrument in waiting:
            instrument.failed(step, module, error)
        raise
    finally:
        _AROUND.reset(token)


@arguments(ctx=CONTEXT, module=MODULE, steps=MANY)
def run_passes(ctx: Context, module: ModuleOp, steps: Iterable[ModulePass]) -> None:
    """Run passes on a module one after the other."""
    with _rare_garbage():
        for step in steps:
            run_pass(ctx, module, step)


_OFTEN = 100_000
"""New objects between two searches for garbage; with Python's 700 lowering takes a third longer."""


@contextmanager
def _rare_garbage() -> Iterator[None]:
    """Have Python search for garbage less often inside the block: nearly all that is made stays."""
    before = often, *others = gc.get_threshold()
    gc.set_threshold(often and max(often, _OFTEN), *others)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def passes_around() -> tuple[ModulePass, ...]:
    """Return the passes that are running, the outermost first: one fewer is the nesting depth."""
    return _AROUND.get()


class Pipeline(PassPipeline):
    """A pipeline whose passes instruments follow, and whose errors name the pass."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes on a module."""
        run_passes(ctx, op, self.passes)


@contextmanager
def naming(step: ModulePass) -> Iterator[None]:
    """Turn what a pass raises inside the block into an error about it and its op."""
    try:
        yield
    except HtpError:
        raise
    except (Exception, SystemExit) as error:
        op = op_at_hand(error)
        what = refusal(error, op) if isinstance(error, DiagnosticException) else raised(error)
        if op is None:
            raise fail(f"pass '{step.name}'", what, _REMEDY) from error
        raise fail_at(op, f"pass '{step.name}' fails: {what}", _REMEDY) from error
