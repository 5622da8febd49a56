"""The canonical text of what a file has: ops as the printer writes them, with the file's names."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from xdsl.ir import Block, SSAValue

from ...dialects.diagnostics import fail
from ...dialects.text.printer import ModulePrinter
from .checked import Checked
from .live_text import LiveScope, LiveText
from .statements import TOKENS, Statement, StatementKind, results


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
    the text has faults. Labels, heads in the generic form, ops with regions and several results of
    one name stay.
    """
    for scope in live.scopes:
        for item in scope.items:
            new = _text(item, scope, live.name)
            if new != item.text:
                yield item, new
        last = live.lines[scope.end - 1]
        end = "  " * (scope.depth - 1) + "}"
        if scope.depth and last.strip() == "}" and last != end:
            yield Statement(StatementKind.END, scope.end - 1, last), end


def _text(item: Checked, scope: LiveScope, name: str) -> str:
    old, where = item.text, f"{name}:{item.line + 1}"
    if item.misread or item.unresolved:
        raise fail(where, "the statement has a fault", "correct it, then format the file")
    comments = [match for match in TOKENS.finditer(old) if match[0].startswith("//")]
    behind = comments[-1][0] if comments and comments[-1].end() == len(old) else ""
    if len(comments) > bool(behind):
        raise fail(where, "a comment is inside an op", "move it in front of the op")
    is_head = item.kind is StatementKind.HEAD and not item.is_generic
    is_plural = any(count > 1 for _, count in results(old))
    if len(item.ops) != 1 or is_plural or (item.ops[0].regions and not is_head):
        return old
    op, used = item.ops[0], {name: each for name, each in item.uses.items() if each}
    calls = {
        value: f"{name}#{index}" if len(each.values) > 1 else name
        for name, each in (used | item.defines).items()
        for index, value in enumerate(each.values)
    }
    if is_head:
        op = op.clone_without_regions()
        inner = Block(arg_types=[value.type for value in calls])
        op.regions[0].add_block(inner)
        calls = dict(zip(inner.args, calls.values(), strict=True))
    stream = StringIO()
    NamingPrinter(stream, names=calls).print_op(op)
    text = stream.getvalue().rstrip()
    if is_head:
        text = text.removesuffix("}").rstrip()
    indented = text.replace("\n", "\n" + "  " * scope.depth)
    return "  " * scope.depth + indented + (f"  {behind}" if behind else "")
