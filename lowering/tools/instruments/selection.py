"""The passes and functions whose text is shown, and the text itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....dialects.diagnostics import fail
from ....dialects.faults.suggestions import did_you_mean
from ....dialects.text.printer import ModulePrinter, no_handles
from ...report.elide import elided


@dataclass(frozen=True)
class Selection:
    """Names of passes and of functions, with `*` for any letters; without any, all are meant.

    Constants of more than `limit` elements are left out of the text; `locations` are written on
    request, as --print-debuginfo writes them.
    """

    passes: Sequence[str] = ()
    functions: Sequence[str] = ()
    limit: int | None = None
    locations: bool = False

    def has(self, step: ModulePass) -> bool:
        """Tell whether a pass is meant."""
        return not self.passes or is_named(step.name, self.passes)

    def text(self, module: ModuleOp) -> str:
        """Print the module, or of it the functions that are meant."""
        ops: Iterable[Operation] = (module,)
        if self.functions:
            functions = (op for op in module.ops if isinstance(op, FuncOp))
            ops = (op for op in functions if is_named(op.sym_name.data, self.functions))
        stream = StringIO()
        handle_of = no_handles if self.limit is None else elided(self.limit)
        for op in ops:
            printer = ModulePrinter(stream, handle_of=handle_of, print_debuginfo=self.locations)
            printer.print_op(op)
            stream.write("\n")
        return stream.getvalue()


def is_named(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a name is one of these, where `*` stands for any letters."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def names_of(flag: str, texts: Sequence[str] | None, known: Iterable[str] | None) -> list[str]:
    """Split the comma-separated names that a flag gives; HtpError for one that is not `known`."""
    names = [name.strip() for text in texts or () for name in text.split(",")]
    if known is None:
        return names
    known = sorted(known)
    for name in names:
        if not any(fnmatchcase(one, name) for one in known):
            remedy = did_you_mean(name, known, "htp-opt --list-passes lists them")
            raise fail(f"{flag} '{name}'", "there is no such pass", remedy)
    return names
