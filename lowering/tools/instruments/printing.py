"""IR between passes: the whole text, only where it changed, or the difference."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import unified_diff

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....runtime.passes.instrument import Instrument
from ....runtime.passes.run import passes_around
from ....runtime.tools.progress import wipe_progress
from .selection import Selection, is_named


@dataclass(frozen=True)
class Moment:
    """The passes before or after which the IR is printed: those of these names, all, or changes."""

    names: Sequence[str] = ()
    always: bool = False
    on_change: bool = False

    def wants(self, step: ModulePass) -> bool:
        """Tell whether the IR is printed at a pass, changed or not."""
        return self.always or is_named(step.name, self.names)

    def __bool__(self) -> bool:
        return bool(self.names) or self.always or self.on_change


@dataclass
class Printing(Instrument):
    """Prints the IR before and after passes to stderr; `as_diff` prints what a pass changed."""

    selection: Selection
    before_: Moment
    after_: Moment
    as_diff: bool = False
    _texts: list[str] = field(default_factory=list)

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._texts.append(self.selection.text(module) if self.selection.has(step) else "")
        if self.selection.has(step) and self.before_.wants(step):
            _show("Before", self._texts[-1])

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        old = self._texts.pop()
        if not self.selection.has(step):
            return
        new = self.selection.text(module)
        changed = old != new
        if changed and self.before_.on_change and not self.before_.wants(step):
            _show("Before", old)
        if self.after_.wants(step) or (changed and self.after_.on_change):
            _show("After", _difference(old, new) if self.as_diff else new)

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._texts.pop()


def _show(when: str, text: str) -> None:
    around = passes_around()
    path = " > ".join(step.name for step in around)
    print(f"// -----// IR Dump {when} {path} //----- //\n{text}", file=sys.stderr)


def _difference(old: str, new: str) -> str:
    lines = unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="")
    return "\n".join(lines) + "\n" if old != new else ""


class BetweenPasses(Instrument):
    """Prints the IR between the passes of the command line to stdout, as xdsl-opt does."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._last = ""

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if len(passes_around()) == 1 and self._last:
            wipe_progress()
            print(f"IR after {self._last}:\n{self._selection.text(module)}\n\n\n")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if len(passes_around()) == 1:
            self._last = step.name
