"""Answers about a text: its canonical form; at a place what is there, what may be, definitions."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptOperandDef
from xdsl.utils.exceptions import VerifyException

from ...dialects.attributes import ATTRIBUTES
from ...dialects.diagnostics import HtpError, fail
from ...dialects.spec_of import spec_of
from ...dialects.text.printer import ModulePrinter
from ...dialects.value import LayoutKind, Memory
from ...runtime.installed.environment import universe
from ..levels import Level
from ..packages.loading import packages_of
from ..passes.allocation.tcm import spans, wholes
from ..testing.programs import OURS
from ..testing.syntax import IS_RUN
from ..tools.show import signature_lines
from .checked import Checked
from .live_text import LiveScope, LiveText
from .run_lines import meaning, options_of, parser_of, verbs
from .statements import (
    NAME,
    TOKENS,
    NameToken,
    Statement,
    StatementKind,
    has_symbols,
    names,
    results,
)


def word_at(live: LiveText, line: int, column: int) -> str:
    """Return the word that has a place, or ends before it."""
    words = re.finditer(r"[%@#!^]?[\w$.-]+", live.lines[line])
    return next((m[0] for m in words if m.start() <= column <= m.end()), "").rstrip(".")


def hover(live: LiveText, line: int, column: int) -> list[str]:
    """Describe what stands at a place: an op, a value, a symbol, or a word of a RUN line."""
    word, packages = word_at(live, line, column), packages_of(live.ctx)
    if IS_RUN.match(live.lines[line]):
        quoted = re.finditer(r"(['\"])(.*?)\1", live.lines[line])
        phrases = [each[2] for each in quoted if each.start() < column < each.end()]
        before = live.lines[line][:column]
        meanings = (meaning(each, before, packages) for each in (word, *phrases))
        return next(filter(None, meanings), [])
    if kind := _op(live, word):
        return _documentation(live, kind)
    scope, token = live.scope_at(line), definition(live, line, column)
    if token and not word.startswith("%"):
        return [live.lines[token.line].strip()]
    values = scope.env[word].values if token and word in scope.env else ()
    return [text for value in values for text in _described(value, scope)]


def _op(live: LiveText, name: str) -> type[IRDLOperation] | None:
    """Look up an op; any name is one where ops that nobody knows are allowed."""
    kind = live.ctx.get_optional_op(name)
    return kind if kind and kind.name == name and issubclass(kind, IRDLOperation) else None


def _documentation(live: LiveText, kind: type[IRDLOperation]) -> list[str]:
    """Return what an op says of itself, its signature, and what packages say of it."""
    lines = list[str]()
    with suppress(HtpError):
        lines += live.registered(kind.name).lines()
    if not (lines and lines[0].startswith(f"{kind.name}(")):
        lines = [*signature_lines(kind), *lines]
    return [*inspect.cleandoc(f"{kind.__doc__ or ''}\n").split("\n"), "", *lines]


def _described(value: SSAValue, scope: LiveScope) -> Iterator[str]:
    """Yield the type of a value, its place and its bytes, and once allocated, its live interval."""
    yield str(value.type)
    try:
        spec = spec_of(value) if isinstance(value.type, TensorType) else None
    except VerifyException:
        return
    if spec is not None:
        yield f"{spec.layout.value} in {spec.memory.value}, {spec.nbytes} bytes"
        if spec.place and spec.place.offset is not None:
            ops = [op for item in scope.items for op in item.ops]
            first, last = spans(ops, wholes(ops)).get(value, (0, 0))
            yield f"at offset {spec.place.offset}, live from op {first} to op {last}"


def definition(live: LiveText, line: int, column: int) -> NameToken | None:
    """Find where a value, a symbol, a label or an alias is defined."""
    name = word_at(live, line, column)
    if name.startswith("@"):
        return next((token for token, _ in symbols(live, line) if token.name == name), None)
    known = live.scope_at(line).env.get(name)
    places = names(known.item) if known else ()
    return next((each for each in places if each.name == name), None)


_SYMBOL = re.compile(r'@([\w$.-]+)|@?"([^"\n]*)"')


def symbols(live: LiveText, line: int | None = None) -> Iterator[tuple[NameToken, Operation]]:
    """Yield the functions, states and other ops that have a symbol, with the place of its name.

    With a line, only those of its piece of the file.
    """
    for item in live.items if line is None else live.piece_at(line):
        for op in item.ops if has_symbols(item.text) else ():
            symbol = op.get_attr_or_prop("sym_name")
            name = symbol.data if isinstance(symbol, StringAttr) else ""
            # A pattern for each name would be compiled anew.
            places = (each for each in _SYMBOL.finditer(item.text) if name in each.groups())
            if name and (place := next(places, None)):
                yield NameToken(f"@{name}", *item.place(place.start())), op


def references(
    live: LiveText, line: int, column: int, with_definition: bool = True
) -> list[NameToken]:
    """List the places of a value in its scope, or of a symbol in the text."""
    name, scope = word_at(live, line, column), live.scope_at(line)
    first = None if with_definition else definition(live, line, column)
    items = live.piece_at(line) if name.startswith("@") else [scope.head, *scope.items]
    here = (item for item in items if name in item.text)
    return [each for item in here for each in names(item) if each.name == name and each != first]


def renamed(live: LiveText, line: int, column: int, new: str) -> list[NameToken]:
    """Return the places of a value that is to have another name; HtpError for a name in use."""
    name, env = word_at(live, line, column), live.scope_at(line).env
    if name not in env or not name.startswith("%"):
        raise fail(name or "rename", "is not a value", "put the cursor on a value, such as %x")
    if not re.fullmatch(NAME, new):
        raise fail(new, "is not a name", "use letters, digits and _ $ . -")
    if new in env:
        raise fail(new, "is defined here already", "choose another name")
    return references(live, line, column)


_MOST_VALUES = 100
"""The values that are offered at once: more come as a word grows."""
_NEAR = 2000
"""The characters before the cursor that are looked at: patterns take the square of them."""
Offers = Iterable[tuple[str, str]]
Offering = Callable[[LiveText, re.Match[str], int], Offers]


def completions(live: LiveText, line: int, column: int) -> tuple[int, Offers]:
    """Return what may stand at a place, with details, and the column where the word begins."""
    before = live.lines[line][:column]
    for pattern, offering in _RUN if IS_RUN.match(before) else _IR:
        if match := re.compile(pattern).search(before, max(column - _NEAR, 0)):
            return match.start("word"), offering(live, match, line)
    return column, ()


def _words(words: Callable[[re.Match[str]], Iterable[str]]) -> Offering:
    """Offer words that what stands before them decides alone."""
    return lambda live, match, line: [(word, "") for word in words(match)]


def _values(live: LiveText, match: re.Match[str], line: int) -> Offers:
    """Offer labels, and the last values and aliases up to a line, that begin as the word does."""
    known = live.scope_at(line).env.items()
    fitting = (each for each in known if each[0].startswith(match["word"]))
    before = [each for each in fitting if each[0][0] == "^" or each[1].item.line <= line]
    last = sorted(before, key=lambda each: each[1].item.line)[-_MOST_VALUES:]
    return [(name, ", ".join(str(v.type) for v in each.values)) for name, each in last]


def _symbols(live: LiveText, match: re.Match[str], line: int) -> Offers:
    return [(token.name, op.name) for token, op in symbols(live, line)]


def _ops(live: LiveText, match: re.Match[str], line: int) -> Offers:
    name, dot, _ = match["word"].partition(".")
    dialect = live.ctx.get_optional_dialect(name) if dot else None
    if dialect is None:
        return [(name, "dialect") for name in live.ctx.registered_dialect_names]
    return [(op.name, (op.__doc__ or "").strip().partition("\n")[0]) for op in dialect.operations]


def _parts(live: LiveText, match: re.Match[str], line: int) -> Offers:
    """Offer the operands of an op, or inside of braces its params and attributes."""
    kind, in_braces = _op(live, match["op"]), match["braces"] is not None
    if kind:
        parts = kind.get_irdl_definition()
        for name in (*parts.properties, *parts.attributes) if in_braces else ():
            yield name, "param"
        for name, each in () if in_braces else parts.operands:
            name = name.removesuffix("_")
            yield f"{name} = " if isinstance(each, OptOperandDef) else f"%{name}", "operand"
    if in_braces:
        yield from ((name, each.words) for name, each in ATTRIBUTES.items())


_WORD = r"(?P<word>[\w.-]*)$"
_LEVELS = [level.value for level in Level]
_IR = (
    (r"#htp\.place<\s*(?P<word>\w*)$", _words(lambda _: [each.value for each in LayoutKind])),
    (r"#htp\.place<\s*\w+,\s*(?P<word>\w*)$", _words(lambda _: [each.value for each in Memory])),
    (r"(?P<word>[%^!#][\w$.-]*)$", _values),
    (r"(?P<word>@[\w$.-]*)$", _symbols),
    (rf"(?P<op>[A-Za-z_]\w*\.[\w.$-]+)\"?\((?:[^)]*?|.*(?P<braces>\{{)[^}}]*?){_WORD}", _parts),
    (rf"(?:^\s*|=\s*)\"?{_WORD}", _ops),
)
_RUN = (
    (rf"\blevel={_WORD}", _words(lambda _: _LEVELS)),
    (
        rf"\b(?:after|before)[\s=]+(?:[\w-]+,)*{_WORD}",
        _words(lambda _: [*_LEVELS, *universe().all_passes]),
    ),
    (
        rf"(?P<pass>[\w-]+)\{{(?:[^{{}}]*\s)?{_WORD}",
        _words(lambda match: [f"{each}=" for each in options_of(match["pass"])]),
    ),
    (rf"-t\s+{_WORD}", _words(lambda _: universe().all_targets)),
    (rf"(?:-p|--passes)[\s=]+['\"]?(?:.*,)?{_WORD}", _words(lambda _: universe().all_passes)),
    (
        r"\s(?P<word>--?[\w-]*)$",
        _words(lambda match: parser_of(match.string)._option_string_actions),
    ),
    (rf"(?:RUN:|[|])\s*{_WORD}", _words(lambda _: ["filecheck", "not", *OURS])),
    (rf"\s{_WORD}", _words(lambda match: verbs(parser_of(match.string)))),
)
"""The words of RUN lines by what stands before them."""


@dataclass(eq=False, repr=False)
class NamingPrinter(ModulePrinter):
    """A printer that calls values as the file does."""

    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def print_ssa_value(self, value: SSAValue) -> str:
        if value not in self.names:
            return super().print_ssa_value(value)
        self.print_string(self.names[value])
        return self.names[value]


def formatted(live: LiveText) -> Iterator[tuple[Statement, str]]:
    """Yield the statements that are not as the printer writes them, and their new texts.

    A comment behind an op, and those between ops, stay; HtpError for one inside an op, and where
    the text has faults. Labels, heads in the generic form, ops with regions and several results of
    one name stay.
    """
    for scope in live.scopes:
        for item in scope.items:
            new = _text(item, scope, live.name)
            if new != item.text:
                yield item, new
        last = live.lines[scope.end - 1]
        end = "  " * (scope.depth - 1) + "}"
        if scope.depth and last.strip() == "}" and last != end:
            yield Statement(StatementKind.END, scope.end - 1, last), end


def _text(item: Checked, scope: LiveScope, name: str) -> str:
    old, where = item.text, f"{name}:{item.line + 1}"
    if item.misread or item.unresolved:
        raise fail(where, "the statement has a fault", "correct it, then format the file")
    comments = [match for match in TOKENS.finditer(old) if match[0].startswith("//")]
    behind = comments[-1][0] if comments and comments[-1].end() == len(old) else ""
    if len(comments) > bool(behind):
        raise fail(where, "a comment is inside an op", "move it in front of the op")
    is_head = item.kind is StatementKind.HEAD and not item.is_generic
    is_plural = any(count > 1 for _, count in results(old))
    if len(item.ops) != 1 or is_plural or (item.ops[0].regions and not is_head):
        return old
    op, used = item.ops[0], {name: each for name, each in item.uses.items() if each}
    calls = {
        value: f"{name}#{index}" if len(each.values) > 1 else name
        for name, each in (used | item.defines).items()
        for index, value in enumerate(each.values)
    }
    if is_head:
        op = op.clone_without_regions()
        inner = Block(arg_types=[value.type for value in calls])
        op.regions[0].add_block(inner)
        calls = dict(zip(inner.args, calls.values(), strict=True))
    stream = StringIO()
    NamingPrinter(stream, names=calls).print_op(op)
    text = stream.getvalue().rstrip()
    if is_head:
        text = text.removesuffix("}").rstrip()
    indented = text.replace("\n", "\n" + "  " * scope.depth)
    return "  " * scope.depth + indented + (f"  {behind}" if behind else "")
