"""Answers about a place in a text: what stands there, what may, where it is defined and used."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptOperandDef
from xdsl.utils.exceptions import VerifyException

from ...dialects.attributes import ATTRIBUTES
from ...dialects.diagnostics import HtpError, fail
from ...dialects.spec_of import spec_of
from ...dialects.value.place import LayoutKind, Memory
from ...runtime.installed.environment import universe
from ..levels import Level
from ..packages.loading import packages_of
from ..packages.lookup import registered
from ..passes.allocation.live_intervals import spans, wholes
from ..testing.programs import OURS
from ..tools.htp_opt import opt_parser
from .live_text import LiveScope, LiveText
from .run_lines import IS_RUN, meaning, options_of
from .statements import NAME, NameToken, names

_WORD = re.compile(r"[%@#!^]?[\w$.-]+")


def word_at(text: str, column: int) -> str:
    """Return the word of a line that has a column, or ends before it."""
    words = (match[0] for match in _WORD.finditer(text) if match.start() <= column <= match.end())
    return next(words, "").rstrip(".")


def hover(live: LiveText, line: int, column: int) -> list[str]:
    """Describe what stands at a place: an op, a value, a symbol, or a word of a RUN line."""
    text, packages = live.lines[line], packages_of(live.ctx)
    word = word_at(text, column)
    if IS_RUN.match(text):
        return meaning(word, packages)
    if word.startswith("%"):
        scope = live.scope_at(line)
        return [line for value in scope.env.get(word[1:], ()) for line in _described(value, scope)]
    if word.startswith("@"):
        token = definition(live, line, column)
        return [live.lines[token.line].strip()] if token else []
    kind = live.ctx.get_optional_op(word)
    if kind is None:
        return []
    about = inspect.cleandoc(kind.__doc__ or "").split("\n")
    try:
        return [*about, "", *registered(packages, word).lines()]
    except HtpError:
        return about


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
            ops = list(scope.block.ops)
            first, last = spans(ops, wholes(ops)).get(value, (0, 0))
            yield f"at offset {spec.place.offset}, live from op {first} to op {last}"


def definition(live: LiveText, line: int, column: int) -> NameToken | None:
    """Find where a value or a symbol is defined."""
    name = word_at(live.lines[line], column)
    if name.startswith("%"):
        item = live.scope_at(line).definers.get(name[1:])
        return (
            next((each for each in names(item.statement) if each.name == name), None)
            if item
            else None
        )
    return next((token for token, _ in symbols(live) if token.name == name), None)


def symbols(live: LiveText) -> Iterator[tuple[NameToken, Operation]]:
    """Yield the functions, states and other ops that have a symbol, with the place of its name."""
    for scope in live.scopes.values():
        for item in scope.items:
            for op in item.ops if "@" in item.statement.text else ():
                symbol = op.get_attr_or_prop("sym_name")
                if isinstance(symbol, StringAttr):
                    tokens = (t for t in names(item.statement) if t.name == f"@{symbol.data}")
                    yield from ((token, op) for token in [next(tokens, None)] if token)


def references(live: LiveText, line: int, column: int) -> list[NameToken]:
    """List the places of a value in its scope, or of a symbol in the text."""
    name = word_at(live.lines[line], column)
    scope = live.scope_at(line) if name.startswith("%") else None
    return [token for token in live.tokens(scope) if token.name == name] if name else []


def renamed(live: LiveText, line: int, column: int, new: str) -> list[NameToken]:
    """Return the places of a value that is to have another name; HtpError for a name in use."""
    name, scope = word_at(live.lines[line], column), live.scope_at(line)
    if name[1:] not in scope.definers or not name.startswith("%"):
        raise fail(name or "rename", "is not a value", "put the cursor on a value, such as %x")
    new = f"%{new.removeprefix('%')}"
    if not re.fullmatch(NAME, new):
        raise fail(new, "is not a name", "use letters, digits and _ $ . -")
    if new[1:] in scope.definers:
        raise fail(new, "is defined here already", "choose another name")
    return references(live, line, column)


Offers = Iterable[tuple[str, str]]


def completions(live: LiveText, line: int, column: int) -> tuple[int, Offers]:
    """Return what may stand at a place, with details, and the column where the word begins."""
    before = live.lines[line][:column]
    table = _RUN if IS_RUN.match(before) else _IR
    for pattern, offers in table:
        if match := pattern.search(before):
            return match.start("word"), offers(live, match, line)
    return column, ()


def _plain(words: Callable[[], Iterable[str]]) -> Callable[[LiveText, re.Match[str], int], Offers]:
    """Make offers of words that are the same everywhere."""
    return lambda live, match, line: [(word, "") for word in words()]


def _values(live: LiveText, match: re.Match[str], line: int) -> Offers:
    env = live.scope_at(line).env
    return [(f"%{name}", ", ".join(str(each.type) for each in env[name])) for name in env]


def _ops(live: LiveText, match: re.Match[str], line: int) -> Offers:
    name, dot, _ = match["word"].partition(".")
    dialect = live.ctx.get_optional_dialect(name) if dot else None
    if dialect is None:
        return [(name, "dialect") for name in live.ctx.registered_dialect_names]
    return [
        (kind.name, (kind.__doc__ or "").strip().partition("\n")[0]) for kind in dialect.operations
    ]


def _params(live: LiveText, match: re.Match[str], line: int) -> Offers:
    kind = live.ctx.get_optional_op(match["op"])
    if kind is not None and issubclass(kind, IRDLOperation):
        definition = kind.get_irdl_definition()
        yield from ((name, "param") for name in (*definition.properties, *definition.attributes))
    yield from ((name, each.words) for name, each in ATTRIBUTES.items())


def _operands(live: LiveText, match: re.Match[str], line: int) -> Offers:
    kind = live.ctx.get_optional_op(match["op"])
    if kind is not None and issubclass(kind, IRDLOperation):
        for name, each in kind.get_irdl_definition().operands:
            yield f"{name} = " if isinstance(each, OptOperandDef) else f"%{name}", "operand"


def _options(live: LiveText, match: re.Match[str], line: int) -> Offers:
    known = match["pass"] in universe().all_passes
    return [(f"{name}=", "option") for name in options_of(match["pass"])] if known else []


_WORDS = r"(?P<word>[\w.-]*)$"
_OP = r"(?P<op>[A-Za-z_]\w*\.[\w.$-]+)\"?\("
_LEVELS = [level.value for level in Level]
_IR = [
    (re.compile(pattern), offers)
    for pattern, offers in (
        (r"#htp\.place<\s*(?P<word>\w*)$", _plain(lambda: [each.value for each in LayoutKind])),
        (r"#htp\.place<\s*\w+,\s*(?P<word>\w*)$", _plain(lambda: [each.value for each in Memory])),
        (r"(?P<word>%[\w$.-]*)$", _values),
        (rf"{_OP}.*\{{[^}}]*?{_WORDS}", _params),
        (rf"{_OP}[^)]*?{_WORDS}", _operands),
        (rf"(?:^\s*|=\s*){_WORDS}", _ops),
    )
]
_RUN = [
    (re.compile(pattern), offers)
    for pattern, offers in (
        (rf"\blevel={_WORDS}", _plain(lambda: _LEVELS)),
        (rf"\b(?:after|before)={_WORDS}", _plain(lambda: [*_LEVELS, *universe().all_passes])),
        (rf"(?P<pass>[\w-]+)\{{(?:[^{{}}]*\s)?{_WORDS}", _options),
        (rf"-t\s+{_WORDS}", _plain(lambda: universe().all_targets)),
        (rf"(?:-p|--passes)[\s=]+['\"]?(?:.*,)?{_WORDS}", _plain(lambda: universe().all_passes)),
        (
            r"\s(?P<word>--?[\w-]*)$",
            _plain(lambda: [s for each in opt_parser()._actions for s in each.option_strings]),
        ),
        (rf"(?:RUN:|[|])\s*{_WORDS}", _plain(lambda: ["filecheck", "not", *OURS])),
    )
]
"""The words of RUN lines by what stands before them."""
