"""Text to IR: a look at the text first, then each op learns its place, which an error shows."""

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, AttributeInvT, Dialect, Operation, SSAValue, TypeAttribute
from xdsl.parser import UnresolvedOperand
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException
from xdsl.utils.lexer import Input, Span

from ...dialects.diagnostics import Fault, HtpError, Position, did_you_mean, fail
from ...dialects.faults.op_faults import (
    HEAD,
    Excerpt,
    invalid,
    marked_span,
    op_at_hand,
    origins_note,
    refusal,
    remember,
)
from ...dialects.htp.named import otherwise
from ...dialects.locations import source_name
from ...dialects.text.parser import ModuleParser
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


def verify_outside_in(module: ModuleOp) -> None:
    """Verify all of a module, ops with regions first; VerifyException for the first bad op.

    xDSL begins inside, where the verifiers of `func.return` and `func.call` read the types of
    functions, which those that nobody has verified may not have.
    """
    for op in module.walk():
        if op.regions:
            op.verify(verify_nested_ops=False)
    module.verify()


_UNDEFINED = re.compile(r"values used but not defined: \[%([\w.$-]+)")
_RETYPED = re.compile(r"previously used or defined with type")
_REST = "Could not parse entire input!"
_EXPECTED = {
    "in block definition": "an op, a block or '}' is expected",
    _REST: "an op is expected",
}
"""Messages of the parser that do not say what it expects, and what that is."""
CLOSES_NOTHING = "'}' closes nothing"
_AGAIN = re.compile(r"is already defined")
"""A message that also follows from a function in one whose end is missing."""
_TOKENS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|[(\[{}\])]')
_CLOSES = {"}": "{", ")": "(", "]": "["}


def _blamed(span: Span, message: str) -> tuple[Span, str]:
    """Find the place that a parser's message is about, and what is wrong there."""
    text = span.input.content
    if _RETYPED.search(message):
        start = _first(span.text, text)
        defined = Span(start, start + len(span.text), span.input).get_location()
        return span, f"{message}; {span.text} is first at {defined}"
    ends = _AGAIN.search(message) or not text[span.start :].strip()
    unclosed = _unclosed(text) if ends else None
    if unclosed is not None:
        return Span(unclosed, unclosed + 1, span.input), f"'{text[unclosed]}' is never closed"
    if message == _REST and span.text == "}":
        return span, CLOSES_NOTHING
    return span, _EXPECTED.get(message, message)


def _first(name: str, text: str) -> int:
    """Find the first place of a value's name."""
    match = re.search(rf"{re.escape(name)}(?![\w.$-])", text)
    return match.start() if match else 0


def _unclosed(text: str) -> int | None:
    """Find the last bracket that is open where a text ends."""
    opened: list[int] = []
    for match in _TOKENS.finditer(text):
        if match[0] in _CLOSES.values():
            opened.append(match.start())
        elif opened and _CLOSES.get(match[0]) == text[opened[-1]]:
            opened.pop()
    return opened[-1] if opened else None


_FIRST = ("htp", "qti_aisw")
"""Dialects whose ops are proposed for any name."""


class KnownNames(Context):
    """A context that asks another one, and keeps the last name that it did not know."""

    def __init__(self, inner: Context) -> None:
        super().__init__(inner.allow_unregistered)
        self._inner = inner
        self.missing: str | None = None
        """The name that is not known."""
        self._known: Callable[[], Iterator[str]] = self._ops

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        """Look up an op."""
        op = self._inner.get_optional_op(name, dialect_stack=dialect_stack)
        self._note(name, op, self._ops)
        return op

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        """Look up a type."""
        type_ = self._inner.get_optional_type(name)
        self._note(name, type_, self._types)
        return type_

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        """Look up an attribute."""
        attribute = self._inner.get_optional_attr(name)
        self._note(name, attribute, self._attributes)
        return attribute

    def get_optional_dialect(self, name: str) -> Dialect | None:
        """Look up a dialect."""
        dialect = self._inner.get_optional_dialect(name)
        self._note(name, dialect, self._dialects)
        return dialect

    def remedy(self) -> str:
        """Ask for the names that are close to the missing one."""
        name = self.missing or ""
        dialects = [*self._dialects()]
        own = name.partition(".")[0]
        # A dialect is loaded when text names it; the one that was meant may not be yet.
        for near in (each for each in dialects if each in _FIRST or did_you_mean(own, [each])):
            self._inner.get_optional_dialect(near)
        if here := otherwise(name):
            return here
        also = f"declare it in {own}" if own in dialects else "name its package by --package"
        unknown = f"correct the name, or {also}"
        return did_you_mean(name, self._known(), unknown)

    def _note(self, name: str, definition: object, known: Callable[[], Iterator[str]]) -> None:
        if definition is None:
            self.missing, self._known = name, known

    def _ops(self) -> Iterator[str]:
        return (op.name for op in self._inner.loaded_ops)

    def _types(self) -> Iterator[str]:
        return (type_.name for type_ in self._inner.loaded_types)

    def _attributes(self) -> Iterator[str]:
        return (attribute.name for attribute in self._inner.loaded_attrs)

    def _dialects(self) -> Iterator[str]:
        return iter(self._inner.registered_dialect_names)


REMEDY = "correct the text"
"""The remedy for what cannot be read."""


class LocatingParser(ModuleParser):
    """A parser that gives each op its place in the text, unless the text states a location.

    `name` names the file in errors; `line` is the number of lines of the file before the text.
    """

    def __init__(self, ctx: Context, text: str, name: str, line: int = 0) -> None:
        self.names = KnownNames(ctx)
        # Spans count lines from the begin of their input.
        super().__init__(self.names, "\n" * line + text, name)
        content = self.lexer.input.content
        self._file, self._start = StringAttr(name), line
        remember(name, content)
        self._lines = [0, *(end.end() for end in re.finditer("\n", content))]
        self.begins: dict[Operation, int] = {}
        """The place in the text where each op begins."""
        self._awaited: dict[str, Span] = {}
        """The first use of each value that is, or was, used before it is defined."""

    def parse_operation(self) -> Operation:
        """Parse an op; note where it begins. An isolated one uses no value of what is behind it."""
        begin = self.pos
        op = super().parse_operation()
        # An explicit `loc(unknown)` is another object, and stays.
        if op.location is UNKNOWN_LOC:
            op.location = self._place(begin)
        self.begins[op] = begin
        if self.forward_ssa_references and op.has_trait(IsolatedFromAbove):
            for name in self.forward_ssa_references:
                if self._awaited[name].start > begin:
                    self.raise_error(f"%{name} is not defined", self._awaited[name])
        return op

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """Return the value of this name; note where it is used before it is defined."""
        name = operand.operand_name
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._awaited[name] = operand.span
        return super().resolve_operand(operand, type)

    def module(
        self, implicit: bool = True, unchanged: tuple[type[Exception], ...] = ()
    ) -> ModuleOp:
        """Parse the text; HtpError tells the place where it cannot be read.

        Errors of the types `unchanged` are raised without a change.
        """
        try:
            module = self.parse_module(implicit)
        except unchanged:
            raise
        except ParseError as error:
            raise self.misread(error) from error
        except VerifyException as error:
            here = Span(self.pos, self.pos, self.lexer.input)
            raise _fault(here, refusal(error, None), REMEDY) from error
        if module.location is UNKNOWN_LOC:
            module.location = self._place(self._start)
        return module

    def verify(self, module: ModuleOp) -> None:
        """Check all of the module that was read; HtpError shows the line of the first bad op."""
        try:
            verify_outside_in(module)
        except VerifyException as error:
            raise self.invalid(error) from error

    def invalid(self, error: DiagnosticException) -> HtpError:
        """Make an error of a verifier's about an op that was read."""
        return invalid_in(self.lexer.input, self.begins, error)

    def _place(self, begin: int) -> FileLineColLoc:
        line = bisect(self._lines, begin)
        column = begin - self._lines[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    def misread(self, error: ParseError) -> HtpError:
        """Make an error of the parser's; a name that is not known gets the close ones."""
        message = " ".join(error.msg.split())
        span = Span(error.span.start, error.span.end, self.lexer.input)
        if match := _UNDEFINED.search(message):
            return _fault(self._awaited[match[1]], f"%{match[1]} is not defined", REMEDY)
        if self.names.missing is None:
            return _fault(*_blamed(span, message), REMEDY)
        # The parser has just gone past the name: it stands before, on the same line.
        name, line = self.names.missing, span.input.get_start_of_line(span.start)
        begin = span.input.content.rfind(name, line, span.end)
        place = span if begin < 0 else Span(begin, begin + len(name), span.input)
        return _fault(place, message, self.names.remedy())


def invalid_in(
    text: Input[str], begins: Mapping[Operation, int], error: DiagnosticException
) -> HtpError:
    """Make an error of a verifier's; `begins` are the places in the text where ops begin."""
    op = op_at_hand(error) or op_at_hand(error, begins)
    begin = begins.get(op) if op else None
    head = None if begin is None else HEAD.match(text.content, begin)
    if op is None or head is None:
        return invalid(error, text.name, REMEDY)
    problem = f"{head['results'] or ''}{source_name(op)}: {refusal(error, op)}"
    span = Span(*head.span(), text)
    note = origins_note(op, str(span.get_location()))
    return _fault(span, problem, REMEDY, note)


def _fault(span: Span, problem: str, remedy: str, note: Excerpt = ()) -> HtpError:
    excerpt, where = (*marked_span(span), *note), span.get_location()
    width = len(span.text.partition("\n")[0]) or 1
    return HtpError(Fault(str(where), problem, remedy, excerpt, Position(*where), width))
