"""Names of passes and functions that flags give, and that a run never met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import filter as matching

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import Fault, fail
from ....dialects.faults.notes import note
from ....dialects.faults.suggestions import listed
from ....runtime.passes.instrument import Instrument

_NO_FUNCTION = "no function has this name"


class Unmet(Instrument):
    """Keeps the names that a run meets, for a note on each other one that a flag gives.

    `passes` and `functions` are the names by flag.
    """

    def __init__(
        self, passes: Mapping[str, Sequence[str]], functions: Mapping[str, Sequence[str]]
    ) -> None:
        self._passes, self._functions = passes, functions
        self._met_passes: dict[str, None] = {}
        self._met_functions: dict[str, None] = {}

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._met_passes[step.name] = None
        if self._functions:
            self._met_functions |= dict.fromkeys(functions_of(module))

    def report(self) -> None:
        """Print the notes."""
        _note_unmet(self._passes, [*self._met_passes], "no pass of this name ran")
        _note_unmet(self._functions, [*self._met_functions], _NO_FUNCTION)


def _note_unmet(asked: Mapping[str, Sequence[str]], met: Sequence[str], problem: str) -> None:
    for flag, names in asked.items():
        for name in names:
            if not matching(met, name):
                note(Fault(f"{flag} '{name}'", problem, listed(name, met, "there are")))


def functions_of(module: ModuleOp) -> list[str]:
    """List the names of the functions of a module."""
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]


def check_functions(asked: Mapping[str, Sequence[str]], module: ModuleOp) -> None:
    """Refuse a name that no function has; one with * may be that of a function to come."""
    known = functions_of(module)
    for flag, names in asked.items():
        for name in names:
            if "*" not in name and not matching(known, name):
                raise fail(f"{flag} '{name}'", _NO_FUNCTION, listed(name, known, "there are"))
