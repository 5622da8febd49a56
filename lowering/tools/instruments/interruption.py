"""Ctrl-C in a run of passes: each target still writes the module so far, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....runtime.passes.instrument import Instrument
from ....runtime.passes.run import passes_around
from ....runtime.tools.errors import explain
from .snapshot import Snapshot, put_back, snapshot

_COMMENTED = ("mlir", "dot", "irdl-module", "pdl-module")
"""The targets that begin with a comment on the interrupt."""


class LastWhole(Instrument):
    """Keeps a snapshot of a module behind each pass, inner ones included, but none on a copy."""

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._kept: tuple[Snapshot, str] = (snapshot(module), "it was before the passes")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if module is not self._module:
            return
        path = " > ".join(each.name for each in passes_around())
        # One assignment: Ctrl-C may come at any time.
        self._kept = snapshot(module), f"{path} left it"

    def restore(self) -> str:
        """Make the module what it was behind the last whole pass; return which one that was."""
        kept, state = self._kept
        put_back(self._module, kept)
        return state


class Interruption(BaseException):
    """An interrupt, and the module as the last whole pass left it.

    `output` is where the module goes, `plan` the file of --plan, which only a whole run writes.
    """

    def __init__(
        self, error: KeyboardInterrupt, last_whole: LastWhole, output: str, plan: str | None
    ) -> None:
        super().__init__()
        self.error = error
        self._unplanned = f"; {plan} was not written" if plan else ""
        self._state = f"the module as {last_whole.restore()}"
        self._output = output
        if not getattr(error, "__notes__", ()):
            error.add_note("between two passes")

    def written(self, target: str, write: Callable[[ModuleOp], str], module: ModuleOp) -> str:
        """Write the module as a target does; raise the interrupt, with the reason, if it cannot."""
        try:
            text = write(module)
        except Exception as error:  # a target may need what only later passes make
            problem = explain(error).faults[0].problem
            self._note(f"no output was written, {self._state} is no {target}: {problem}")
            raise self.error from error
        if target == "report":
            self._note(f"{self._output} tells of the passes so far")
            return text
        self._note(f"{self._output} holds {self._state}")
        return f"// interrupted: {self._state}\n{text}" if target in _COMMENTED else text

    def _note(self, left: str) -> None:
        self.error.add_note(f"{left}{self._unplanned}")
