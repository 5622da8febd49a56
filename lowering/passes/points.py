"""Passes of the user's at named points of a pipeline: `htp-fold:my-pass`, `native:a,b`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.passes import ModulePass

from ...dialects.diagnostics import HtpError, fail
from ...dialects.suggestions import did_you_mean
from .checks.check_level import CheckLevel
from .nested import passes_of


@dataclass(frozen=True)
class Point:
    """A pass by its name, every time or the `nth` time that it runs, or the border of a level."""

    option: str
    name: str
    nth: int
    passes: tuple[ModulePass, ...]


def point(option: str, text: str) -> Point:
    """Read `NAME:PASSES` or `NAME#2:PASSES`, passes in brackets too; HtpError for another form."""
    place, mark, passes = text.partition(":")
    name, counted, nth = place.partition("#")
    if not mark or (counted and not (nth.isdecimal() and int(nth))):
        remedy = f"write {option}=htp-fold:my-pass, or {option}=htp-fold#2:my-pass"
        raise fail(f"htp-lower, {option}={text}", "names no point and pass", remedy)
    in_brackets = passes.startswith("[") and passes.endswith("]")
    return Point(option, name, int(nth or 0), passes_of(passes[1:-1] if in_brackets else passes))


def _points(option: str, texts: Sequence[str]) -> Iterator[Point]:
    """Read points; HtpError where a list of passes stands without brackets."""
    for text, last in zip(texts, (None, *texts), strict=False):
        if last and ":" in last and ":" not in text:
            where = f"htp-lower, {option}={last},{text}"
            name, _, passes = last.partition(":")
            remedy = f"write {option}={name}:[{passes},{text}]"
            raise fail(where, f"'{text}' names no point", remedy)
        yield point(option, text)


def with_points(
    steps: Sequence[ModulePass], before: Sequence[str], after: Sequence[str]
) -> tuple[ModulePass, ...]:
    """Put passes before and after others; HtpError where no pass is."""
    if not (before or after):
        return tuple(steps)
    points = [*_points("before", before), *_points("after", after)]
    editor = _Editor(points)
    edited = editor.edited(steps)
    for each in points:
        if each not in editor.used:
            raise _nowhere(each, editor.names)
    return edited


def _nowhere(each: Point, names: Counter[str]) -> HtpError:
    """Make the error for a point that the pipeline does not have."""
    where = f"htp-lower, {each.option}={each.name}"
    if each.name in names:
        return fail(where, f"runs {names[each.name]} times, not {each.nth}", "give a lower number")
    known = f"there are {', '.join(names)}"
    return fail(where, "is no point of this lowering", did_you_mean(each.name, names, known))


class _Editor:
    """A walk over a pipeline that counts the passes of each name."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = points
        self.names: Counter[str] = Counter()
        self.used: set[Point] = set()

    def edited(self, steps: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
        return tuple(new for step in steps for new in self._step(step))

    def _step(self, step: ModulePass) -> Iterator[ModulePass]:
        name = step.level if isinstance(step, CheckLevel) else step.name
        self.names[name] += 1
        nth = self.names[name]
        here = [each for each in self._points if each.name == name and each.nth in (0, nth)]
        self.used.update(here)
        yield from (new for each in here if each.option == "before" for new in each.passes)
        yield step
        yield from (new for each in here if each.option == "after" for new in each.passes)
