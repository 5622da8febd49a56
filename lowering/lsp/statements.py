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
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

NAME = r"%[\w$.-]+"
"""The pattern of a value's name."""
TOKENS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|[(\[{}\])]')
"""Comments, strings and brackets."""
_HEAD_OPS = ("func.func", "builtin.module", "module")
_RESULT = rf"{NAME}(?::\d+)?"
_RESULTS = rf"\s*{_RESULT}(?:\s*,\s*{_RESULT})*\s*=(?!=)"
_START = re.compile(
    rf"{_RESULTS}|\s*(?:"
    r'"[\w$.-]+"\s*\(|[A-Za-z_]\w*\.[A-Za-z_][\w$.-]*|(?:module|return|call)\b'
    r"|[#!][\w$.-]+\s*=|\^[\w$.-]+|\{-#|\}|// -----)"
)
_OPENS = dict(zip(")]}", "([{", strict=True))


class StatementKind(Enum):
    """A kind of statement; a CUT ends a piece of the file, as `// -----` does."""

    OP = auto()
    HEAD = auto()
    END = auto()
    LABEL = auto()
    ALIAS = auto()
    CUT = auto()


_KINDS = {
    "}": StatementKind.END,
    "^": StatementKind.LABEL,
    "#": StatementKind.ALIAS,
    "!": StatementKind.ALIAS,
    # Data of the file are read as aliases are.
    "{": StatementKind.ALIAS,
}


class LineShape(NamedTuple):
    """A line by itself: the statement that it may begin, and the brackets that it leaves open."""

    kind: StatementKind
    starts: bool
    is_empty: bool
    brackets: str
    opens_region: bool


@lru_cache(maxsize=1 << 15)
def shape(text: str) -> LineShape:
    """Read a line."""
    tokens = list(TOKENS.finditer(text))
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
    return LineShape(
        kind, starts, not code and not is_cut, left[:-1] + "R" if opens else left, opens
    )


class Statement(NamedTuple):
    """Lines of the text that belong together; `line` counts from 0."""

    kind: StatementKind
    line: int
    text: str

    @property
    def end(self) -> int:
        """The line behind the last one."""
        return self.line + self.text.count("\n") + 1


def statements(lines: Sequence[str]) -> Iterator[Statement]:
    """Yield the statements of a text."""
    begin, end, open_, kind = -1, 0, "", StatementKind.OP
    for number, line in enumerate(map(shape, lines)):
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


class NameToken(NamedTuple):
    """A name in the text, `%x`, `@f`, `^bb` or `#a`; line and column count from 0."""

    name: str
    line: int
    column: int


_NAMES = re.compile(
    r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|(?P<name>[%@^][\w$.-]+|[#!][A-Za-z_][\w$]*(?![\w$.]))'
)


def names(statement: Statement) -> Iterator[NameToken]:
    """Yield the names of a statement, outside of comments and strings."""
    text = statement.text
    for match in _NAMES.finditer(text):
        if match["name"]:
            line = statement.line + text.count("\n", 0, match.start())
            column = match.start() - text.rfind("\n", 0, match.start()) - 1
            yield NameToken(match["name"], line, column)


def results(text: str) -> list[tuple[str, int]]:
    """Return the values that an op's text defines: their names, and the number of each."""
    match = re.match(_RESULTS, text)
    each = re.findall(rf"({NAME})(?::(\d+))?", match[0] if match else "")
    return [(name, int(count or 1)) for name, count in each]
