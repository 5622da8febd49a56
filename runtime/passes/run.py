"""Passes that run one after the other, or inside each other; an error says which it comes from."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.arguments import CONTEXT, MANY, MODULE, a, arguments
from ...dialects.faults.op_faults import fail_at, refusal
from ...dialects.faults.tracebacks import op_at_hand, raised
from .instrument import instruments

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
    for step in steps:
        run_pass(ctx, module, step)


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
