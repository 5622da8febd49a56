"""A look at text before the parser, for what that would not come to an end with."""

import re

from ...dialects.diagnostics import Fault, HtpError, Position, fail
from ...dialects.value.limits import MAX_DIGITS, MAX_NESTING, MAX_RANK

_TOKEN = re.compile(
    r"""
      //[^\n]*+
    | (?P<string> " [^"\\\n\v\f]*+
        (?: \\ (?: ["nt\\] | [0-9A-Fa-f]{2} ) [^"\\\n\v\f]*+ )*+
        (?P<end> ")? )
    | -> | [<>]=
    | (?P<open> [\[({<] )
    | (?P<close> [\])}>] )
    """
    rf"| (?P<number> 0x[0-9A-Fa-f]{{{MAX_DIGITS + 1},}} | \d{{{MAX_DIGITS + 1},}} )"
    rf"| (?P<shape> (?: [\d?]+ x ){{{MAX_RANK + 1},}} )",
    re.VERBOSE,
)


def check_text(text: str, name: str, line_offset: int = 0) -> None:
    """Refuse text that is empty, or that would keep the parser busy without end.

    That is a string that is not closed on its line, on which the parser tries every way to divide
    it, a number or a shape of absurd length, or nesting deeper than the parser can follow.
    """
    if not text.strip():
        raise fail(name, "holds no text", "give a module")
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        depth = max(depth + (kind == "open") - (kind == "close"), 0)
        if problem := _problem(match, depth):
            begin = match.start()
            line = text.count("\n", 0, begin) + line_offset + 1
            column = begin - text.rfind("\n", 0, begin)
            place = Position(name, line, column)
            raise HtpError(Fault(str(place), *problem, place=place))


def _problem(match: re.Match[str], depth: int) -> tuple[str, str] | None:
    """Return a token's problem and remedy, if it has one."""
    if depth > MAX_NESTING:
        return too_deep(depth)
    match match.lastgroup:
        case "string" if match["end"] is None:
            return (
                "a string is not closed",
                'end it with " on its line, and escape characters by \\',
            )
        case "number":
            return f"a number has {len(match[0])} digits", f"at most {MAX_DIGITS} are taken"
        case "shape":
            return f"a shape has {match[0].count('x')} dims", f"at most {MAX_RANK} are taken"
        case _:
            return None


def too_deep(depth: int) -> tuple[str, str]:
    """Return problem and remedy of text with this many brackets inside each other."""
    problem = f"is nested too deeply, {depth} brackets inside each other"
    return problem, f"at most {MAX_NESTING} are taken"
