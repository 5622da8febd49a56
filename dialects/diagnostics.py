"""The errors that a user sees: two lines for one fault, a count and a list for several.

Errors about unknown names propose those that the user may have meant.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

DEBUG = "--debug"
"""The flag with which tools show the traceback of an error, too."""

DIAGNOSTICS = "--diagnostics"
"""The flag with which tools print errors and notes as JSON."""

_SHOWN = 10

_LONGEST = 1000
"""The letters of a place that are shown, as a file may name one of any length."""

CHECK_PATH = "check the path and what may be done there"
"""The remedy for a file that cannot be read or written."""

_COMMANDS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)], "?")


def harmless(text: str) -> str:
    """Show what a terminal would take for a command as ?; line ends and tabs stay."""
    return text.translate(_COMMANDS)


@dataclass(frozen=True)
class Position:
    """A place in a text; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Fault:
    """A mistake of the user: where it is, the problem, and what fixes it.

    Lines of a remedy after the first are text to write, and `excerpt` shows the place, with a mark;
    both are shown only where the fault is alone. `place` is the first of `width` characters of a
    text, where the fault is in one.
    """

    where: str
    problem: str
    remedy: str
    excerpt: Sequence[str] = ()
    place: Position | None = None
    width: int = 1

    def line(self) -> str:
        """Format the fault on one line."""
        return f"{self._first_line()}; {harmless(self.remedy.partition(chr(10))[0])}"

    def lines(self) -> list[str]:
        """Format the fault on two lines, the problem, then what to do, and those of the excerpt."""
        remedy = [f"  {line}" for line in self.remedy.split("\n")]
        return [self._first_line(), *map(harmless, [*remedy, *self.excerpt])]

    def _first_line(self) -> str:
        """Format where and problem; names that hold line ends do not break the line."""
        where = self.where if len(self.where) <= _LONGEST else f"{self.where[:_LONGEST]}..."
        return harmless("\\n".join(f"{where}: {self.problem}".splitlines()))


class HtpError(Exception):
    """Bad input: carries one or more faults, prints as at most twelve lines, never a traceback.

    One fault is two lines, what its remedy proposes to write, two lines that show its place, and
    one with the origins of an op that has several.
    """

    def __init__(self, *faults: Fault) -> None:
        self.faults: Sequence[Fault] = faults
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """List the lines to show: two for one fault, else a count and one line each."""
        if len(self.faults) == 1:
            return self.faults[0].lines()
        shown = [f"  {fault.line()}" for fault in self.faults[:_SHOWN]]
        more = len(self.faults) - len(shown)
        tail = [f"  ... and {more} more"] if more else []
        return [f"{len(self.faults)} errors:", *shown, *tail]


def fail(where: str, problem: str, remedy: str) -> HtpError:
    """Make an error of a single fault, to raise."""
    return HtpError(Fault(where, problem, remedy))


def one_line(text: str) -> str:
    """Join the first lines of a text, and cut it where it is long."""
    joined = " ".join(text.strip().splitlines()[:3])
    return joined if len(joined) <= 300 else joined[:297] + "..."


def counted(count: int, word: str, plural: str = "s") -> str:
    """Write a number of things: `1 pass`, `2 passes` where the plural ends in `es`."""
    return f"{count} {word}{plural * (count != 1)}"


LEAST = 0.65
"""The least similarity of a name that is proposed, from 0 to 1."""
_OTHER_START = 0.75
"""The least similarity of a name that begins with another letter: few words are misspelt so."""
_TIE = 0.04
"""The difference to the best similarity up to which a name is proposed too."""
MOST = 3
"""The largest number of names that are proposed."""


def closest(name: str, known: Iterable[str], least: float = LEAST) -> list[str]:
    """List the known names that are closest to one, and others that are nearly as close.

    Upper and lower case count as the same letter; `least` is the least similarity, from 0 to 1.
    """
    scores = [(_likeness(name.lower(), each.lower()), each) for each in dict.fromkeys(known)]
    best = max((score for score, _ in scores), default=0.0)
    least = max(best - _TIE, least)
    return [each for score, each in sorted(scores, reverse=True) if score >= least][:MOST]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "", least: float = LEAST) -> str:
    """Ask for the closest known names, `did you mean 'A' or 'B'?`; `otherwise` without any."""
    near = [f"'{each}'" for each in closest(name, known, least)]
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def proposals(remedy: str) -> list[str]:
    """List the names that `did_you_mean` proposed in a remedy or a problem."""
    question = re.search(r"did you mean ('.*?')\?", remedy)
    return question[1].strip("'").split("' or '") if question else []


@lru_cache(1 << 12)
def _likeness(name: str, known: str) -> float:
    """Compare two names; a part before the dot that differs must be close by itself, as the rest.

    A name without such a part, or with the same, is compared with the rest alone.
    """
    # The dashes of flags would make any two alike.
    name, known = name.lstrip("-"), known.lstrip("-")
    owner, dot, rest = name.partition(".")
    known_owner, _, known_rest = known.partition(".")
    if not dot:
        return _ratio(name, known_rest or known)
    if owner == known_owner:
        return _ratio(rest, known_rest)
    parts = (_ratio(owner, known_owner), _ratio(rest, known_rest))
    return _ratio(name, known) if min(parts) >= LEAST else 0.0


def _ratio(name: str, known: str) -> float:
    matcher = SequenceMatcher(None, name, known)
    least = LEAST if name[:1] == known[:1] else _OTHER_START
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0.0


def listed(name: str, known: Iterable[str], words: str = "known are") -> str:
    """Ask for the closest known names and list all: `did you mean 'A'? known are A, B`."""
    names = list(known)
    hint = did_you_mean(name, names)
    return f"{hint} {words} {', '.join(names) or 'none'}".lstrip()
