"""Lines of the texts that were read, with a mark below an op or a place; errors end in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from os import stat
from pathlib import Path

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.lexer import Span

from ..diagnostics import Position
from ..locations import known_as, node_of, place_of, position_of
from ..text.printer import ELIDED, ModulePrinter

STDIN_NAME = "<stdin>"
"""The name of standard input in places and errors."""
_MOST = 16
"""Texts that are remembered."""
_LONGEST = 1 << 20
"""The largest number of characters of standard input that are kept."""


@dataclass(frozen=True)
class _File:
    """A file of lines, with its size and time when it was read: a later one has other lines."""

    path: Path
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> _File | None:
        try:
            facts = stat(path)
        except (OSError, ValueError):
            return None
        return cls(path.absolute(), facts.st_size, facts.st_mtime_ns)

    def line(self, number: int) -> str | None:
        if _File.of(self.path) != self:
            return None
        with open(self.path, encoding="utf-8", errors="replace") as lines:
            return next(islice(lines, number - 1, number), None)


@dataclass(frozen=True)
class _Text:
    """A text of no file."""

    text: str

    def line(self, number: int) -> str | None:
        return next(islice(self.text.split("\n"), number - 1, number), None)


_READ: dict[str, _File | _Text] = {}


def remember(name: str, text: str) -> None:
    """Remember a text that is read, for `source_line`: a file, or standard input.

    A later text of the same name takes its place.
    """
    kept = _Text(text) if name == STDIN_NAME and len(text) <= _LONGEST else _File.of(Path(name))
    _READ.pop(name, None)
    if kept:
        _READ[name] = kept
    for oldest in list(_READ)[:-_MOST]:
        del _READ[oldest]


def source_line(place: Position) -> str | None:
    """Return the line of a place; None where its text was not read here, or has changed since."""
    known = _READ.get(place.file)
    line = known.line(place.line) if known else None
    return None if line is None else line.rstrip("\r\n")


Excerpt = tuple[str, ...]
"""A line and its marks, indented; empty where there is nothing to show."""

HEAD = re.compile(r'(?P<results>%[^=]*?\s*=\s*)?"?[\w.$-]+"?')
"""The results and the name of an op, where its text begins."""

_INDENT = "    "
_WIDTH = 160
"""Characters of a line that are shown."""
_BEFORE = 60
"""Characters that are shown before a mark which lies far to the right."""
_ELEMENTS = 8
"""The largest number of elements of a constant that is shown with its data."""


def marked(line: str, start: int, end: int) -> Excerpt:
    """Show a line with carets from `start` to `end`, cut to what fits around them."""
    cut = 0 if start + _BEFORE < _WIDTH else start - _BEFORE
    cut = max(cut, len(line) - len(line.lstrip()))
    shown = line[cut : cut + _WIDTH].rstrip().expandtabs(1)
    start, end = max(start - cut, 0), min(end - cut, len(shown))
    dots = "..." if cut + _WIDTH < len(line) else ""
    return f"{_INDENT}{shown}{dots}", f"{_INDENT}{' ' * start}{'^' * max(end - start, 1)}"


def marked_span(span: Span[str] | Span[bytes]) -> Excerpt:
    """Show the first line of a place in a text."""
    begin = span.input.get_start_of_line(span.start)
    line = replace(span, start=begin, end=span.input.get_end_of_line(span.start))
    return marked(line.text, span.start - begin, span.end - begin)


def shown(op: Operation) -> Excerpt:
    """Show the line of the text that an op comes from; without one, the op as it prints now."""
    place = place_of(op)
    line = source_line(place) if place else None
    if place is None or line is None:
        return printed(op)
    head = HEAD.match(line, place.column - 1)
    return marked(line, *head.span()) if head else ()


def printed(op: Operation) -> Excerpt:
    """Show an op as it prints inside its function now, with its results and its name marked.

    A value has the name that a reader knows it by; only one without has a number.
    """
    line, results = _line(op), known_results(op)
    name, mark, rest = line.partition(op.name)
    quote = '"' * name.endswith('"')
    end = len(f"{results}{quote}{op.name}{quote}")
    return marked(f"{results}{quote}{op.name}{rest}", 0, end) if mark else ()


def known_results(op: Operation) -> str:
    """Return `%y = `, the names of the text; numbers only where nothing else tells the op."""
    names = [f"%{result.name_hint}" for result in op.results if result.name_hint]
    if names:
        return f"{', '.join(names)} = "
    return "" if node_of(op) or position_of(op) else results_of(op)


def results_of(op: Operation) -> str:
    """Return `%3 = `, the results of an op as it prints inside its function now."""
    head = HEAD.match(_line(op, numbered=True)) if op.results else None
    return (head["results"] or "") if head else ""


class _ReadersPrinter(ModulePrinter):
    """A printer that calls values as a reader knows them, once all have their numbers."""

    is_counting = True

    def print_ssa_value(self, value: SSAValue) -> str:
        if self.is_counting or not (name := known_as(value)):
            return super().print_ssa_value(value)
        self.print_string(name)
        return name


def _line(op: Operation, numbered: bool = False) -> str:
    """Print an op; the generic form, or nothing, where it is too broken to be printed."""
    for generic in (False, True):
        stream = StringIO()
        printer = _ReadersPrinter(stream, print_generic_format=generic, handle_of=_handle_of)
        for value in _values_around(op):
            printer.print_ssa_value(value)
        printer.is_counting = numbered
        begin = stream.tell()
        try:
            printer.print_op(op)
        except Exception:  # an error is on its way already, and what an op prints may be its cause
            continue
        return stream.getvalue()[begin:].partition("\n")[0]
    return ""


def _handle_of(dense: DenseIntOrFPElementsAttr) -> str | None:
    return ELIDED if len(dense) > _ELEMENTS else None


def _values_around(op: Operation) -> Iterator[SSAValue]:
    """Yield all values that are numbered together with those of an op."""
    scope = op.parent_op()
    while scope is not None and not scope.has_trait(IsolatedFromAbove):
        scope = scope.parent_op()
    for region in scope.regions if scope else ():
        yield from _values(region)


def _values(region: Region) -> Iterator[SSAValue]:
    for block in region.blocks:
        yield from block.args
        for op in block.ops:
            yield from op.results
            for inner in () if op.has_trait(IsolatedFromAbove) else op.regions:
                yield from _values(inner)
