"""The module as the last whole pass left it, for a run that is interrupted in the next one."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....runtime.passes.instrument import Instrument
from ....runtime.passes.run import passes_around
from .snapshot import Snapshot, put_back, snapshot


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
