"""Passes that run one after the other; an error says which pass it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.diagnostics import HtpError, fail
from ...dialects.op_faults import fail_at, refusal
from ...dialects.tracebacks import op_at_hand, raised

_REMEDY = "fix the pass; the tools show the traceback with --debug"


@contextmanager
def running(name: str) -> Iterator[None]:
    """Turn what a pass of this name raises inside the block into an error about it and its op."""
    try:
        yield
    except HtpError:
        raise
    except Exception as error:
        op = op_at_hand(error)
        what = refusal(error, op) if isinstance(error, DiagnosticException) else raised(error)
        if op is None:
            raise fail(f"pass '{name}'", what, _REMEDY) from error
        raise fail_at(op, f"pass '{name}' fails: {what}", _REMEDY) from error


@dataclass(frozen=True)
class NamingPipeline(PassPipeline):
    """A pipeline whose errors name the pass that they come from."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes on a module, with the callback before, between and after them."""
        for before, step in zip((None, *self.passes), self.passes, strict=False):
            if self.callback is not None:
                self.callback(before, op, step)
            with running(step.name):
                step.apply(ctx, op)
        if self.callback is not None:
            self.callback(self.passes[-1] if self.passes else None, op, None)
