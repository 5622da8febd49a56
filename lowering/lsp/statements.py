"""Text to statements: an op with its lines, the head or the end of a function, a label, an alias.

A line begins a statement where it looks like an op and no bracket is open, or only brackets that no
op may stand in: so a bracket that is never closed spoils one statement, not the rest of the file.
One pass over the lines; what a line says by itself is kept by its text, so an edit costs little.

Example: `func.func @f(%x: i1) {` is a HEAD, `%y = htp.Neg(%x)` and the next line, `: (i1) -> i1`,
are one OP, and `}` is an END.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

NAME = r"%[\w$.-]+"
"""The pattern of a value's name."""
_HEAD_OPS = ("func.func", "builtin.module", "module")
_TOKENS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|[(\[{}\])]')
_START = re.compile(
    rf"\s*(?:{NAME}(?::\d+)?(?:\s*,\s*{NAME}(?::\d+)?)*\s*=(?!=)"
    r'|"[\w$.-]+"\s*\(|[A-Za-z_]\w*\.[A-Za-z_][\w$.-]*|(?:module|return|call)\b'
    r"|[#!][\w$.-]+\s*=|\^[\w$.-]+|\{-#|\}|// -----)"
)
_KEPT = 1000
"""Lines that no text has any more and that are kept yet."""
_OPENS = dict(zip(")]}", "([{", strict=True))


class StatementKind(Enum):
    """A kind of statement; a CUT ends a piece of the file, as `// -----` does."""

    OP = auto()
    HEAD = auto()
    END = auto()
    LABEL = auto()
    ALIAS = auto()
    METADATA = auto()
    CUT = auto()


_KINDS = {
    "}": StatementKind.END,
    "^": StatementKind.LABEL,
    "#": StatementKind.ALIAS,
    "!": StatementKind.ALIAS,
    "{": StatementKind.METADATA,
}


@dataclass(frozen=True)
class LineShape:
    """A line by itself: the statement that it may begin, and the brackets that it leaves open."""

    kind: StatementKind
    starts: bool
    is_empty: bool
    brackets: str
    opens_region: bool

    @classmethod
    def of(cls, text: str) -> LineShape:
        """Read a line."""
        tokens = list(_TOKENS.finditer(text))
        comment = next((each.start() for each in tokens if each[0].startswith("//")), len(text))
        code, left = text[:comment].strip(), ""
        for token in tokens:
            if token[0] in _OPENS and left[-1:] == _OPENS[token[0]]:
                left = left[:-1]
            elif len(token[0]) == 1 and token[0] != '"':
                left += token[0]
        is_cut = text.lstrip().startswith("// -----")
        opens = code.endswith("{") and left.endswith("{")
        kind = StatementKind.CUT if is_cut else _KINDS.get(code[:1], StatementKind.OP)
        starts = _START.match(text) is not None
        return cls(kind, starts, not code and not is_cut, left[:-1] + "R" if opens else left, opens)


@dataclass(slots=True)
class Statement:
    """Lines of the text that belong together; `line` counts from 0."""

    kind: StatementKind
    line: int
    text: str

    @property
    def end(self) -> int:
        """The line behind the last one."""
        return self.line + self.text.count("\n") + 1


def statements(lines: Sequence[str], known: dict[str, LineShape]) -> Iterator[Statement]:
    """Yield the statements of a text; `known` keeps its lines."""
    if len(known) > 2 * len(lines) + _KEPT:
        known.clear()
    begin, end, open_, kind = -1, 0, "", StatementKind.OP
    for number, text in enumerate(lines):
        line = known.get(text) or known.setdefault(text, LineShape.of(text))
        if line.is_empty:
            continue
        if begin >= 0 and line.starts and "R" not in open_:
            yield Statement(kind, begin, "\n".join(lines[begin:end]))
            begin, open_ = -1, ""
        if begin < 0:
            begin, kind = number, line.kind
        end = number + 1
        if line.opens_region and lines[begin].lstrip().startswith(_HEAD_OPS):
            yield Statement(StatementKind.HEAD, begin, "\n".join(lines[begin:end]))
            begin, open_ = -1, ""
            continue
        for bracket in line.brackets:
            closes = bracket in _OPENS and open_
            open_ = open_[:-1] if closes else open_ + bracket * (bracket not in _OPENS)
    if begin >= 0:
        yield Statement(kind, begin, "\n".join(lines[begin:end]))


_CODE = re.compile(r'(?P<skip>//[^\n]*|"(?:\\.|[^"\\\n])*"?)|' rf"(?P<name>{NAME}|@[\w$.-]+)")


@dataclass(frozen=True)
class NameToken:
    """A name in the text, `%x` or `@f`; line and column count from 0."""

    name: str
    line: int
    column: int


def names(statement: Statement) -> Iterator[NameToken]:
    """Yield the values and symbols that a statement names, outside of comments and strings."""
    for match in _CODE.finditer(statement.text):
        if match["name"]:
            before = statement.text.rfind("\n", 0, match.start()) + 1
            line = statement.line + statement.text.count("\n", 0, match.start())
            yield NameToken(match["name"], line, match.start() - before)


def comments(text: str) -> tuple[bool, str]:
    """Tell whether a comment is inside a statement, and return the one behind it."""
    marks = [match for match in _TOKENS.finditer(text) if match[0].startswith("//")]
    behind = marks[-1][0] if marks and marks[-1].end() == len(text) else ""
    return len(marks) > bool(behind), behind


_RESULTS = re.compile(rf"\s*((?:{NAME}(?::\d+)?\s*,?\s*)+)=(?!=)")
_RESULT = re.compile(rf"({NAME})(?::(\d+))?")


def results(text: str) -> list[tuple[str, int]]:
    """Return the values that an op's text defines: their names, and the number of each."""
    match = _RESULTS.match(text)
    return [(name, int(count or 1)) for name, count in _RESULT.findall(match[1] if match else "")]
