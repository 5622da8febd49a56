"""filecheck in this process: strict about directives, and a miss shows the nearest line."""

import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import StringIO
from pathlib import Path

from filecheck.error import ErrorOnMatch
from filecheck.finput import FInput, InputRange
from filecheck.matcher import Matcher
from filecheck.ops import CheckOp
from filecheck.options import Options, parse_argv_options
from filecheck.parser import Parser

from ...dialects.diagnostics import fail
from ...runtime.tools.tool import ToolOutcome
from .directives import reject_unknown_directives, reject_unused_prefixes

_PARTS = re.compile(r"\{\{.*?\}\}|\[\[(\$?\w+)(:.*?)?\]\]")
_LEAST = 0.4
"""The least similarity of a line that is shown, from 0 to 1."""
_AROUND = 1
_SHOWN = 12


def nearest(wanted: str, lines: Sequence[str], first: int, last: int) -> int | None:
    """Return the number of the nearest of the lines from `first` to `last`, counted from 1.

    None where no line is like it; the earliest of several.
    """
    scores = {
        number: _likeness(wanted, lines[number - 1].strip())
        for number in range(first, min(last, len(lines)) + 1)
    }
    best = max(scores, key=lambda number: (scores[number], -number), default=None)
    return best if best is not None and scores[best] >= _LEAST else None


def _likeness(wanted: str, line: str) -> float:
    """Compare two texts; a short one counts by the part of it that a long line has."""
    matcher = SequenceMatcher(None, wanted, line, autojunk=False)
    if matcher.real_quick_ratio() < _LEAST:
        common = sum(block.size for block in matcher.get_matching_blocks() if block.size > 2)
        return common / max(len(wanted), 1) * 0.9
    return matcher.ratio()


def _excerpt(lines: Sequence[str], first: int, marked: int | None) -> list[str]:
    """List the lines around the marked one and the one at `first`, with their numbers."""
    centres = [first] if marked is None else [first, marked]
    shown = sorted(
        {
            number
            for centre in centres
            for number in range(centre - _AROUND, centre + _AROUND + 1)
            if 1 <= number <= len(lines)
        }
    )[:_SHOWN]
    return [
        f"  {'>' if number == marked else ' '} {number:4} | {lines[number - 1]}" for number in shown
    ]


_SHORT = re.compile(r"unknown format: \[\[#(?:%\w+,)?(\w):\]\]")
"""A number captured by a name of one letter, which FileCheck of LLVM alone reads."""
_ERROR = re.compile(r"error:\s*(.*)")


@dataclass(frozen=True)
class Miss:
    """A directive that did not hold, and the part of the input that it was looked for in."""

    op: CheckOp
    start: int
    end: int
    variables: dict[str, str | int]


class _WatchedMatcher(Matcher):
    """A matcher that keeps the directive at which it stopped."""

    miss: Miss | None = None

    def find_prefix_match_for(self, op: CheckOp) -> None:
        """Keep the directive; what is nearest to it is found line by line."""
        start = self.file.range.start
        self.miss = Miss(op, start, self.file.range.end, dict(self.ctx.live_variables))

    def check_not(self, op: CheckOp, search_range: InputRange) -> None:
        """Keep the directive where its text is found after all."""
        try:
            super().check_not(op, search_range)
        except ErrorOnMatch as error:
            place = error.match
            self.miss = Miss(op, place.start(), place.end(), dict(self.ctx.live_variables))
            raise


def filecheck(arguments: Sequence[str], stdin: str) -> ToolOutcome:
    """Run filecheck; HtpError for flags, files and directives that it would let pass."""
    options = filecheck_options(arguments)
    path = Path(options.match_filename)
    try:
        text = path.read_text(encoding="utf-8-sig")
        if options.input_file != "-":
            stdin = Path(options.input_file).read_text(encoding="utf-8")
    except OSError as error:
        raise fail(f"filecheck: {error.filename}", str(error.strerror), "check the path") from error
    reject_unknown_directives(text, options.check_prefixes)
    reject_unused_prefixes(text, options.check_prefixes)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        matcher = _WatchedMatcher(options, FInput("-", stdin), Parser.from_opts(options))
        try:
            status = matcher.run()
        except (NotImplementedError, ValueError) as error:
            raise fail("filecheck", str(error), "write the directive without it") from error
    if matcher.miss is None:
        return ToolOutcome(
            status, "", _SHORT.sub(r"\g<0>; give it a longer name, as [[#\1\1:]]", err.getvalue())
        )
    return ToolOutcome(status, "", _message(path, text, matcher.miss, stdin, err.getvalue()))


def filecheck_options(arguments: Sequence[str]) -> Options:
    """Return the options of a filecheck command; HtpError where it would not take them."""
    try:
        return parse_argv_options(["filecheck", *arguments])
    except RuntimeError as error:
        raise fail("filecheck", str(error), "write filecheck %s --check-prefix NAME") from error


def _message(path: Path, source: str, miss: Miss, text: str, err: str) -> str:
    """Write a miss: the directive, the reason, the lines of the input around the nearest."""
    op, lines = miss.op, text.removesuffix("\n").split("\n")
    reason = _ERROR.search(err)
    first = text.count("\n", 0, miss.start) + 1
    last = text.count("\n", 0, min(miss.end, len(text))) + 1
    directive = source.split("\n")[op.source_line - 1].strip()
    message = [f"{path}:{op.source_line}: {directive}"]
    message += [f"  {reason[1] if reason else 'does not hold'}"]
    used = {name: value for name, value in miss.variables.items() if f"[[{name}]]" in op.arg}
    message += [f"  with {name} = {value}" for name, value in used.items()]
    if op.name == "NOT":
        message += [f"  line {first} of the input has it:", *_excerpt(lines, first, first)]
        return "".join(f"{line}\n" for line in message)
    # The directive's text with the values of its variables, without what may be anything.
    wanted = _PARTS.sub(lambda match: str(miss.variables.get(match[1], "")), op.arg).strip()
    best = nearest(wanted, lines, first, last)
    if best is None:
        message += [f"  no line of the input from line {first} on is like it:"]
    else:
        message += [f"  looked for from line {first} of the input on; the nearest is line {best}:"]
    return "".join(f"{line}\n" for line in (*message, *_excerpt(lines, first, best)))
