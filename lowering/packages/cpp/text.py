"""A source file as text that a preprocessor can be given: checked, without comments.

Beyond its limits, which stand here, the reader stops with a message and never hangs.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ....dialects.diagnostics import fail
from ....dialects.locations import shown_path

MAX_BYTES = 1_000_000
"""Bytes of one file."""
MAX_EXPANDED = 50_000
"""Tokens that the macros of one source file may make."""
MAX_LOOKED_AT = 100_000_000
"""Tokens, of all calls together, behind macro calls whose brackets never close."""
MAX_LINE = 50_000
"""Characters of a line with those that continue it; a preprocessor's time grows faster."""
MAX_MACRO_DEPTH = 40
MAX_INCLUDE_DEPTH = 16
MAX_KIT_DEPTH = 100
MAX_INCLUDES = 16
"""Times that one source file may include the same other."""
MAX_INCLUDED = 1_000_000
"""Characters of all files that one source file includes, and of the directives of the kit's."""
MAX_NESTING = 60
"""Forms inside forms in one rule."""
MAX_DIGITS = 40
MAX_SHIFT = 63


RULE_NAME = ":::RULE_NAME:::"
"""In a comment on the line above a rule: the rule's name follows."""
DECLARES_OP = "@op "
"""At the begin of a comment: the declaration of an op follows."""
_EXTERNAL = re.compile(r":::EXTERNAL_\w+:::\s*\{\W*([^{}]*)\}")
"""A comment that declares a function that rules call, by its name in the braces."""
_MARKS = re.compile(r"^/[/*!]*|\*/$|\n[ \t]*\*(?!/)")
"""The marks of a comment: of one line, or of a block with a star before each line."""

_LEAST = len("/**/")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_LINE_END = re.compile(r"(?<!\\)\n")
_BLANKS = str.maketrans(dict.fromkeys("\f\x85\u2028\u2029\ufeff", " "))
_LITERAL_OR_COMMENT = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//(?:[^\\\n]|\\.)*|/\*.*?(?:\*/|\Z)', re.DOTALL
)


@dataclass(frozen=True)
class SourceText:
    """Text with comments blanked out line by line, and what comments say.

    `names` are the rules' names by line of their comment, `functions` the lines that declare them,
    `ops` the declarations of ops by line; `unclosed` is the line of a comment that goes on to the
    end.
    """

    text: str
    names: Mapping[int, str]
    functions: Mapping[str, int]
    ops: Mapping[int, str]
    unclosed: int | None = None


def read_text(path: Path) -> SourceText:
    """Return a file's text; HtpError where it is too large, no text, or not to be read."""
    where = shown_path(path)
    try:
        if path.exists() and not path.is_file():
            raise fail(where, "is no file", "name a file of C++ source text")
        if path.stat().st_size > MAX_BYTES:
            raise fail(where, f"is larger than {MAX_BYTES} bytes", "split it, one op per file")
        data = path.read_bytes()
    except OSError as error:
        raise fail(where, f"cannot be read: {error.strerror}", "check the path") from error
    return checked_text(data.decode("utf-8", errors="replace"), where)


def checked_text(text: str, where: str) -> SourceText:
    """Text that is C++ as far as its bytes tell; HtpError where it holds control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_BLANKS)
    control = _CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        what = f"holds the control character {control[0]!r}"
        raise fail(f"{where}:{line}", what, "give C++ source text")
    source = _without_comments(text)
    _check_lines(source.text, where)
    return source


def _check_lines(text: str, where: str) -> None:
    """HtpError where a line, with the lines that continue it, is longer than people write."""
    line = 1
    for row in _LINE_END.split(text):
        if len(row) > MAX_LINE:
            problem = f"is a line of more than {MAX_LINE} characters"
            raise fail(f"{where}:{line}", problem, "break it")
        line += row.count("\n") + 1


def _without_comments(text: str) -> SourceText:
    starts = [line_break.end() for line_break in re.finditer("\n", text)]
    names: dict[int, str] = {}
    functions: dict[str, int] = {}
    ops: dict[int, str] = {}
    unclosed: list[int] = []

    def blank(piece_match: re.Match[str]) -> str:
        piece = piece_match[0]
        if piece[0] != "/":
            return piece
        before, mark, name = piece.partition(RULE_NAME)
        line = bisect_right(starts, piece_match.start()) + 1
        if piece[1] == "*" and (len(piece) < _LEAST or not piece.endswith("*/")):
            unclosed.append(line)
        if mark and before.strip("/ ") == "":
            names[line] = name.strip()
        if DECLARES_OP in piece:
            said = " ".join(_MARKS.sub(" ", piece).split())
            if said.startswith(DECLARES_OP):
                ops[line] = said.removeprefix(DECLARES_OP)
        for declared in _EXTERNAL.finditer(piece):
            functions.update(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", declared[1]), line))
        return " " + "\n" * piece.count("\n")

    blanked = _LITERAL_OR_COMMENT.sub(blank, text)
    return SourceText(blanked, names, functions, ops, next(iter(unclosed), None))
