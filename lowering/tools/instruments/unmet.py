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
from ..flags.pass_flags import FUNCTIONS

_NO_FUNCTION = "no function has this name"


class Unmet(Instrument):
    """Keeps the names that a run meets, for a note on each other one that a flag gives."""

    def __init__(self, asked: Mapping[str, Sequence[str]]) -> None:
        self._asked = asked
        self._met_passes: dict[str, None] = {}
        self._met_functions: dict[str, None] = {}

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._met_passes[step.name] = None
        if self._asked[FUNCTIONS]:
            self._met_functions |= dict.fromkeys(functions_of(module))

    def report(self) -> None:
        """Print the notes."""
        for flag, names in self._asked.items():
            of_functions = flag == FUNCTIONS
            problem = _NO_FUNCTION if of_functions else "no pass of this name ran"
            met = [*(self._met_functions if of_functions else self._met_passes)]
            for name in (name for name in names if not matching(met, name)):
                note(Fault(f"{flag} '{name}'", problem, listed(name, met, "there are")))


def functions_of(module: ModuleOp) -> list[str]:
    """List the names of the functions of a module."""
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]


def check_functions(names: Sequence[str], module: ModuleOp) -> None:
    """Refuse a name that no function has; one with * may be that of a function to come."""
    known = functions_of(module)
    for name in names:
        if "*" not in name and not matching(known, name):
            where = f"{FUNCTIONS} '{name}'"
            raise fail(where, _NO_FUNCTION, listed(name, known, "there are"))
