"""Errors about an op: its origin, results and name, how it prints, and the lines of its text.

A mark below these lines shows the op or the place; errors end in them. One error may be about a
group of nodes.

The traceback of an error shows the line that a user wrote, and the op at hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from os import stat
from pathlib import Path
from traceback import walk_tb

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.lexer import Span

from ..diagnostics import Fault, HtpError, Position, closest
from ..locations import (
    known_as,
    node_of,
    origins_of,
    origins_text,
    place_of,
    position_of,
    shown_path,
    source_name,
)
from ..text.printer import ELIDED, ModulePrinter

_OWN = __name__.partition(".")[0]
_LIBRARIES = frozenset({"numpy", "scipy", "xdsl", *sys.stdlib_module_names})


def raised(error: BaseException) -> str:
    """Put what a user's function raised on one line: `ValueError: beta is negative, at my.py:12`.

    The line is the innermost one of the user's code; without any, the innermost of the project's.
    """
    place = user_line(error) or _line(error, _LIBRARIES)
    return f"{described(error)}, at {place}" if place else described(error)


def described(error: BaseException) -> str:
    """Put an error on one line: `ValueError: beta is negative`."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def user_line(error: BaseException) -> str:
    """Return `file:line` of the innermost code that is not a library's and not the project's."""
    return _line(error, {_OWN, *_LIBRARIES})


def op_at_hand(error: BaseException, modules: Container[Operation] = ()) -> Operation | None:
    """Return the op that the innermost call was about; a whole module only if it is one of these.

    It is an argument of the call, or the only op among its variables.
    """

    def ops(values: Iterable[object]) -> list[Operation]:
        every = (value for value in values if isinstance(value, Operation))
        known = (op for op in every if op in modules or not isinstance(op, ModuleOp))
        return list(dict.fromkeys(known))

    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        code, values = frame.f_code, frame.f_locals
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        arguments = ops(values[name] for name in names if name in values)
        known = arguments[:1] or ops(values.values())
        if len(known) == 1:
            return known[0]
    return None


def _line(error: BaseException, without: frozenset[str] | set[str]) -> str:
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in without:
            return f"{shown_path(frame.f_code.co_filename)}:{line}"
    return ""


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
    line, results = _text_line(op), known_results(op)
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
    head = HEAD.match(_text_line(op, numbered=True)) if op.results else None
    return (head["results"] or "") if head else ""


class _ReadersPrinter(ModulePrinter):
    """A printer that calls values as a reader knows them, once all have their numbers."""

    is_counting = True

    def print_ssa_value(self, value: SSAValue) -> str:
        if self.is_counting or not (name := known_as(value)):
            return super().print_ssa_value(value)
        self.print_string(name)
        return name


def _text_line(op: Operation, numbered: bool = False) -> str:
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


_SHOWN = 3
"""Nodes that a fault of several of them names."""


@dataclass(frozen=True)
class OpFault(Fault):
    """A fault of an op, by its name, and the names of the nodes that have it.

    `places` are where these are in the user's code, each ` in encoder at net.py:7` or empty.
    """

    op: str = ""
    nodes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


def grouped(faults: Iterable[Fault]) -> list[Fault]:
    """Return one fault for all nodes of an op with the same problem, with their count."""
    groups: dict[object, list[OpFault]] = {}
    others: dict[object, Fault] = {}
    for fault in faults:
        if isinstance(fault, OpFault):
            alike = (fault.op, fault.problem, fault.remedy)
            groups.setdefault(alike, []).append(fault)
            others.setdefault(alike, fault)
        else:
            others[fault] = fault
    return [_together(groups[key]) if key in groups else others[key] for key in others]


def _together(group: Sequence[OpFault]) -> Fault:
    if len(group) == 1:
        return group[0]
    first, nodes = group[0], tuple(node for fault in group for node in fault.nodes)
    places = tuple(place for fault in group for place in fault.places or ("",))
    shown = islice(zip(nodes, places, strict=False), _SHOWN)
    names = ", ".join(f"'{node}'{place}" for node, place in shown)
    more = ", ..." if len(nodes) > _SHOWN else ""
    named = f"{len(nodes)} nodes ({first.op}): {names}{more}"
    return OpFault(named, first.problem, first.remedy, op=first.op, nodes=nodes, places=places)


_MISSING = re.compile(r"property '(\w+)' expected in operation")


def whereabouts(op: Operation) -> str:
    """Name an op in errors: `model.mlir:3:5: %1 = htp.Relu 'conv1'`."""
    return f"{_prefix(op)}{known_results(op)}{source_name(op)}"


def title(op: Operation) -> str:
    """Name an op in reports, without its number: `model.mlir:3:5: htp.Relu 'conv1'`."""
    return f"{_prefix(op)}{source_name(op)}"


def fault_at(op: Operation, problem: str, remedy: str, label: str = "") -> Fault:
    """Make a fault about an op, with the op's text; `label` in place of its results and name."""
    position = position_of(op)
    if position:
        # The prefix says it already.
        label = label.replace(f" at {position}", "")
    where = f"{_prefix(op)}{label}" if label else whereabouts(op)
    name = node_of(op) or f"{position} {known_results(op)[:-3]}".strip() or op.name
    excerpt = (*shown(op), *origins_note(op, position))
    place, width = place_of(op), len(known_results(op)) + len(op.name)
    return OpFault(where, problem, remedy, excerpt, place, width, op=op.name, nodes=(name,))


def origins_note(op: Operation, position: str) -> Excerpt:
    """Name where an op comes from, on a line; nothing where `position` alone tells it."""
    origins = origins_of(op)
    is_told = all(origin.position in ("", position) for origin in origins)
    return () if is_told and len(origins) < 2 else (f"    from {origins_text(op)}",)


def fail_at(op: Operation, problem: str, remedy: str) -> HtpError:
    """Make an error of a single fault about an op, to raise."""
    return HtpError(fault_at(op, problem, remedy))


def invalid(error: DiagnosticException, where: str, remedy: str, after: str = "") -> HtpError:
    """Make an error of a verifier's: about its op, or `where` if it is about no op.

    `after` is the pass that left the op so.
    """
    op = op_at_hand(error)
    problem = refusal(error, op) + (f"; pass '{after}' left it so" if after else "")
    if op is None:
        return HtpError(Fault(where, problem, remedy))
    fault = fault_at(op, problem, remedy)
    place = f"{where}: {fault.where}" if where and not position_of(op) else fault.where
    return HtpError(replace(fault, where=place))


def refusal(error: DiagnosticException, op: Operation | None) -> str:
    """Put a verifier's message on one line, without the op's name."""
    text = " ".join(str(error).split())
    text = text.removeprefix(f"{op.name}: ") if op else text
    missing = _MISSING.search(text)
    near = closest(missing[1], op.attributes) if op and missing else []
    if missing and near:
        text = f"param '{missing[1]}' is missing, '{near[0]}' is not one of its params"
    return text if len(text) <= 300 else f"{text[:297]}..."


def _prefix(op: Operation) -> str:
    position = position_of(op)
    return f"{position}: " if position else ""


def relocated(error: HtpError, op: Operation, label: str) -> HtpError:
    """Complete faults that only name an op, or a part of it, by its place, its label and text."""
    return HtpError(*(_relocated(fault, op, label) for fault in error.faults))


def _relocated(fault: Fault, op: Operation, label: str) -> Fault:
    if label.startswith(fault.where):
        return fault_at(op, fault.problem, fault.remedy, label)
    if fault.where.startswith(label):
        return fault_at(op, fault.problem, fault.remedy, fault.where)
    return fault
