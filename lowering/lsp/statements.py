"""Text to statements: an op with its lines, the head or the end of a function, a label, an alias.

A line begins a statement where it looks like an op and no bracket is open, or only brackets that no
op may stand in: so a bracket that is never closed spoils one statement, not the rest of the file.
One pass over the lines; it may begin at any statement, so that an edit parts few lines anew.

Example: `func.func @f(%x: i1) {` is a HEAD, `%y = htp.Neg(%x)` and the next line, `: (i1) -> i1`,
are one OP, and `}` is an END. In the generic form, `"func.func"() <{...}> ({` is a HEAD, and
`}) : () -> ()` an END.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from ...dialects.text.universe import DIALECTS

NAME = r"%[\w$.-]+"
"""The pattern of a value's name."""
TOKENS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|[(\[{}\])]')
"""Comments, strings and brackets."""
IS_MODULE = re.compile(r'\s*"?(?:builtin\.)?module\b')
"""The beginning of a module."""
_HEAD = re.compile(rf'{IS_MODULE.pattern}|\s*"?func\.func\b|\s*[\w.]+\s+(?:\w+\s+)?@[\w$.-]+\(')
"""The beginning of a head: of all that looks like a function, as its name may be half written."""
_RESULT = rf"{NAME}(?::\d+)?"
_RESULTS = rf"\s*{_RESULT}(?:\s*,\s*{_RESULT})*\s*=(?!=)"
_NEW = rf"{_RESULTS}|\s*(?:[#!][\w$.-]+\s*=|\^[\w$.-]+|\{{-#|// -----)"
_OP = r'\s*(?:"[\w$.-]+"\s*\(|[A-Za-z_]\w*\.[A-Za-z_][\w$.-]*+(?!\s*[=,])|(?:module|return|call)\b)'
_END = r"\s*\}"
_BEGIN, _BEGIN_BEHIND = re.compile(f"{_NEW}|{_END}|{_OP}"), re.compile(f"{_NEW}|{_END}")
"""The beginning of a statement, and of one behind a line that ends with `=`."""
_BEGIN_IN_BRACES = re.compile(rf"{_NEW}|{_OP}(?!\s*$)")
"""The beginning of a statement where attributes may stand, and the end of them."""
PLAIN = re.compile(rf"(?:{_RESULTS})?\s*(?:{'|'.join(DIALECTS.all_dialects)}|func)\.")
"""The beginning of an op that has no region, unless it is a head: a brace in it holds no op."""


class StatementKind(Enum):
    """A kind of statement; a CUT ends a piece of the file, as `// -----` does."""

    OP = auto()
    HEAD = auto()
    END = auto()
    LABEL = auto()
    ALIAS = auto()
    CUT = auto()


# Data of the file, in braces, are read as aliases are.
_KINDS = dict.fromkeys("#!{", StatementKind.ALIAS)
_KINDS["}"] = StatementKind.END
_LABEL = re.compile(r"\^[\w$.-]")


@dataclass(eq=False, slots=True)
class Statement:
    """Lines of the text that belong together; `line` counts from 0."""

    kind: StatementKind
    line: int
    text: str

    @property
    def end(self) -> int:
        """The line behind the last one."""
        return self.line + self.text.count("\n") + 1

    @property
    def is_generic(self) -> bool:
        """The op is in the generic form."""
        return self.text.lstrip().startswith('"')

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and the column of a character of the text, both from 0."""
        before = self.text[:at]
        return self.line + before.count("\n"), at - before.rfind("\n") - 1


def statements(lines: Sequence[str], begin: int = 0) -> Iterator[Statement]:
    """Yield the statements of a text from a line on that begins one."""
    end, open_, kind, begins = begin, bytearray(), None, _BEGIN
    for number in range(begin, len(lines)):
        line = lines[number]
        tokens = [match for match in TOKENS.finditer(line) if match[0][0] != '"']
        comment = tokens.pop().start() if tokens and tokens[-1][0][0] == "/" else len(line)
        code, is_cut = line[:comment].strip(), line.lstrip().startswith("// -----")
        if not code and not is_cut:
            continue
        if kind and b"R" not in open_ and begins.match(line):
            yield Statement(kind, begin, "\n".join(lines[begin:end]))
            kind, open_ = None, bytearray()
        if kind is None:
            plain = StatementKind.LABEL if _LABEL.match(code) else StatementKind.OP
            kind = StatementKind.CUT if is_cut else _KINDS.get(code[0], plain)
            begin = number
        end = number + 1
        for match in tokens:
            # Any bracket closes any other.
            if match[0] in "([{":
                open_ += match[0].encode()
            elif open_:
                open_.pop()
        inner = _BEGIN_IN_BRACES if open_.endswith(b"{") else _BEGIN
        begins = _BEGIN_BEHIND if code.endswith("=") else inner
        if not (code.endswith("{") and tokens and tokens[-1][0] == "{"):
            continue
        if _HEAD.match(lines[begin]):
            yield Statement(StatementKind.HEAD, begin, "\n".join(lines[begin:end]))
            kind, open_ = None, bytearray()
        elif kind is StatementKind.OP and not PLAIN.match(lines[begin]):
            # Ops may stand in it.
            open_[-1:] = b"R"
    if kind:
        yield Statement(kind, begin, "\n".join(lines[begin:end]))


def too_many_ends(items: Sequence[Statement]) -> tuple[list[Statement], list[Statement]]:
    """Return the ENDs that close nothing, and the earlier ones that functions go on behind."""
    unmatched, early, known, depth = list[Statement](), list[Statement](), list[Statement](), 0
    runs = [(kind, [*run]) for kind, run in groupby(items, attrgetter("kind"))]
    in_function = (StatementKind.OP, StatementKind.LABEL)
    for (kind, run), (next_kind, behind) in pairwise([*runs, (StatementKind.CUT, [])]):
        if kind is StatementKind.CUT:
            known, depth = [], 0
        elif kind is StatementKind.HEAD:
            depth += len(run)
        elif kind is StatementKind.END:
            goes_on = next_kind in in_function and any("%" in each.text for each in behind)
            known += run if goes_on else ()
            for item in run:
                depth -= 1
                if depth < 0:
                    unmatched.append(item)
                    early += known[:1]
                    del known[:1]
                    depth = 0
    return unmatched, early


class NameToken(NamedTuple):
    """A name in the text, `%x`, `@f`, `^bb` or `#a`; line and column count from 0."""

    name: str
    line: int
    column: int


_NAMES = re.compile(
    r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|(?P<name>[%@^][\w$.-]+|[#!][A-Za-z_][\w$]*(?![\w$.]))'
)


def has_symbols(text: str) -> bool:
    """Tell whether a text may define or use symbols."""
    return "@" in text or "sym_name" in text


def names(statement: Statement) -> Iterator[NameToken]:
    """Yield the names of a statement, outside of comments and strings."""
    text, line, before = statement.text, statement.line, 0
    for match in _NAMES.finditer(text):
        if match["name"]:
            # An op with regions may have many lines.
            at = match.start()
            line, before = line + text.count("\n", before, at), at
            yield NameToken(match["name"], line, at - text.rfind("\n", 0, at) - 1)


def results(text: str) -> list[tuple[str, int]]:
    """Return the values that an op's text defines: their names, and the number of each."""
    match = re.match(_RESULTS, text)
    each = re.findall(rf"({NAME})(?::(\d+))?", match[0] if match else "")
    return [(name, int(count or 1)) for name, count in each]
