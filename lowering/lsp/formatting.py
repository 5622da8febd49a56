"""The canonical text of what a file has: ops as the printer writes them, with the file's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from xdsl.ir import Block, SSAValue

from ...dialects.diagnostics import fail
from ...dialects.text.printer import ModulePrinter
from .checked import Checked
from .live_text import LiveScope, LiveText
from .statements import Statement, StatementKind, comments, results


@dataclass(eq=False, repr=False)
class NamingPrinter(ModulePrinter):
    """A printer that calls values as the file does."""

    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def print_ssa_value(self, value: SSAValue) -> str:
        if value not in self.names:
            return super().print_ssa_value(value)
        self.print_string(self.names[value])
        return self.names[value]


def formatted(live: LiveText) -> Iterator[tuple[Statement, str]]:
    """Yield the statements that are not as the printer writes them, and their new texts.

    A comment behind an op, and those between ops, stay; HtpError for one inside an op, and where
    the text has faults. Ops with regions of their own, and several results of one name, stay.
    """
    for scope in live.scopes.values():
        calls = {
            value: f"%{name}" + f"#{index}" * (len(values) > 1)
            for name, values in scope.env.items()
            for index, value in enumerate(values)
        }
        for item in scope.items:
            new = _text(item, scope, calls, live.name)
            if new != item.statement.text:
                yield item.statement, new
        last = live.lines[scope.end - 1]
        end = "  " * (scope.depth - 1) + "}"
        if scope.head and last.strip() == "}" and last != end:
            yield Statement(StatementKind.END, scope.end - 1, last), end


def _text(item: Checked, scope: LiveScope, calls: dict[SSAValue, str], name: str) -> str:
    old, where = item.statement.text, f"{name}:{item.statement.line + 1}"
    if item.misread or item.unresolved:
        raise fail(where, "the statement has a fault", "correct it, then format the file")
    inside, behind = comments(old)
    if inside:
        raise fail(where, "a comment is inside an op", "move it in front of the op")
    is_plural = any(count > 1 for _, count in results(old))
    if len(item.ops) != 1 or is_plural or (item.ops[0].regions and not item.owned):
        return old
    op = item.ops[0]
    if item.owned:
        op = op.clone_without_regions()
        inner = Block(arg_types=[each.type for (each,) in item.arguments.values()])
        op.regions[0].add_block(inner)
        calls = dict(zip(inner.args, (f"%{each}" for each in item.arguments), strict=True))
    stream = StringIO()
    NamingPrinter(stream, names=calls).print_op(op)
    text = stream.getvalue().rstrip()
    if item.owned:
        text = text.removesuffix("}").rstrip()
    indented = text.replace("\n", "\n" + "  " * scope.depth)
    return "  " * scope.depth + indented + (f"  {behind}" if behind else "")
