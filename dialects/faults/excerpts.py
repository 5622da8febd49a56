"""Lines that show an op or a place in a text, with a mark below; errors end in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.lexer import Span

from ..text.printer import ELIDED, ModulePrinter

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


def printed(op: Operation) -> Excerpt:
    """Show an op as it prints inside its function now, with its results and its name marked."""
    line = _line(op)
    head = HEAD.match(line)
    return marked(line, 0, head.end()) if head else ()


def results_of(op: Operation) -> str:
    """Return `%3 = `, the results of an op as it prints inside its function now."""
    head = HEAD.match(_line(op)) if op.results else None
    return (head["results"] or "") if head else ""


def _line(op: Operation) -> str:
    """Print an op; the generic form, or nothing, where it is too broken to be printed."""
    for generic in (False, True):
        stream = StringIO()
        printer = ModulePrinter(stream, print_generic_format=generic, handle_of=_handle_of)
        for value in _values_around(op):
            printer.print_ssa_value(value)
        begin = stream.tell()
        try:
            printer.print_op(op)
        except Exception:  # an error is being told already, and what an op prints may be a cause
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
