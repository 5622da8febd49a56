"""Ctrl-C in a run of passes: each target still writes the module so far, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

from ...runtime.tools.errors import explain
from .instruments.last_whole import LastWhole

_COMMENTED = ("mlir", "dot", "irdl-module", "pdl-module")
"""The targets that begin with a comment on the interrupt."""


class Interruption:
    """An interrupt, and the module as the last whole pass left it.

    `output` is where the module goes, `plan` the file of --plan, which only a whole run writes.
    """

    def __init__(
        self, error: KeyboardInterrupt, last_whole: LastWhole, output: str, plan: str | None
    ) -> None:
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
