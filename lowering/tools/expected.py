"""Diagnostics that a test file expects: `// expected-error@+1 {{text}}`, as MLIR writes them.

`--verify-diagnostics` runs each piece of the input and compares: every error and note must be
expected at its line, and every expected one must come. A file that expects nothing is treated as
xdsl-opt does: errors of verifiers are printed, and the run goes on.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...dialects.diagnostics import Fault, HtpError, did_you_mean, fail
from ...dialects.faults.notes import notes_to
from ...runtime.tools.errors import explain

T = TypeVar("T")
_KINDS = ("error", "note", "remark", "warning")
_LOOSE = re.compile(r"expected-(\w+).*\{\{")
_EXACT = re.compile(
    rf"expected-({'|'.join(_KINDS)})(-re)? *"
    r"(?:@([+-]\d+|above|below|unknown))? *\{\{(.*)\}\}\s*$"
)
_INNER = re.compile(r"\{\{(.*?)\}\}")
_ADD = "expect it with // expected-{} {{{{...}}}}, or fix what causes it"


@dataclass(frozen=True)
class Diagnostic:
    """An error or a note: its line of the file, None where it has none, and its text."""

    kind: str
    line: int | None
    text: str


@dataclass(frozen=True)
class Expectation:
    """A directive: where it stands, what it expects in which line, and how the text is matched."""

    at: int
    kind: str
    line: int | None
    text: str
    pattern: re.Pattern[str]

    def fits(self, diagnostic: Diagnostic) -> bool:
        """Tell whether a diagnostic is the expected one."""
        same = (self.kind, self.line) == (diagnostic.kind, diagnostic.line)
        return same and self.pattern.search(diagnostic.text) is not None


@dataclass(frozen=True)
class Expectations:
    """The directives of one piece of the file `name`."""

    name: str
    members: Sequence[Expectation]

    def check(self, run: Callable[[], T], failed: T) -> T:
        """Run a piece and return its outcome, `failed` for one that fails as it is expected to.

        HtpError with everything that was not as expected.
        """
        seen: list[Diagnostic] = []
        outcome, cause = failed, None
        try:
            with notes_to(lambda fault: seen.append(self._diagnostic("note", fault))):
                outcome = run()
        except Exception as error:
            cause = error
            seen += [self._diagnostic("error", fault) for fault in explain(error, self.name).faults]
        if faults := [*self._faults(seen)]:
            raise HtpError(*faults) from cause
        return outcome

    def _diagnostic(self, kind: str, fault: Fault) -> Diagnostic:
        place = re.match(rf"{re.escape(self.name)}:(\d+):\d+:? ?", fault.where)
        text = f"{fault.where[place.end() if place else 0 :]}: {fault.problem}"
        return Diagnostic(kind, int(place[1]) if place else None, text.removeprefix(": "))

    def _faults(self, seen: Sequence[Diagnostic]) -> Iterator[Fault]:
        """Pair directives and diagnostics off; yield those that are left over."""
        left = list(seen)
        for each in self.members:
            fitting = next((one for one in left if each.fits(one)), None)
            if fitting is not None:
                left.remove(fitting)
            else:
                here = [one.text for one in left if one.line == each.line]
                remedy = f"there it says: {here[0]}" if here else "none is reported there"
                problem = f'expected {each.kind} "{each.text}" was not produced'
                yield Fault(f"{self.name}:{each.at}", problem, remedy)
        for one in left:
            where = self.name if one.line is None else f"{self.name}:{one.line}"
            yield Fault(where, f"unexpected {one.kind}: {one.text}", _ADD.format(one.kind))


def expectations(text: str, name: str, offset: int) -> Expectations:
    """Read the directives of a piece that begins behind `offset` lines; HtpError for a bad one."""
    lines = text.split("\n") if "expected-" in text else []
    directives = [_LOOSE.search(line) if "expected-" in line else None for line in lines]
    free, members = [each is None for each in directives], []
    for index, loose in ((at, each) for at, each in enumerate(directives) if each):
        exact = _EXACT.search(lines[index])
        if exact is None:
            form = "write // expected-error@+1 {{text}}"
            remedy = form if loose[1] in _KINDS else did_you_mean(loose[1], _KINDS, form)
            problem = f"'expected-{loose[1]}' is no directive of this form"
            raise fail(f"{name}:{offset + index + 1}", problem, remedy)
        kind, regex, where, message = exact.groups()
        target = _target(where, index, free)
        at = None if target is None else offset + target + 1
        parts = _INNER.split(message) if regex else [message]
        pattern = "".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts))
        own = offset + index + 1
        members.append(Expectation(own, kind, at, message, re.compile(pattern)))
    return Expectations(name, members)


def _target(where: str | None, index: int, free: Sequence[bool]) -> int | None:
    """Return the index of the line that a directive means; None for one without a place."""
    match where:
        case "unknown":
            return None
        case "above":
            return next((i for i in range(index - 1, -1, -1) if free[i]), index)
        case "below":
            return next((i for i in range(index + 1, len(free)) if free[i]), index)
        case _:
            return index + int(where or 0)
