"""The errors that a user sees: two lines for one fault, a count and a list for several."""

from collections.abc import Sequence
from dataclasses import dataclass

DEBUG = "--debug"
"""The flag with which tools show the traceback of an error, too."""

DIAGNOSTICS = "--diagnostics"
"""The flag with which tools print errors and notes as JSON."""

_SHOWN = 10

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
        return harmless("\\n".join(f"{self.where}: {self.problem}".splitlines()))


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
