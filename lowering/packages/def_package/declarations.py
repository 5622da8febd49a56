"""Rules, tensor properties and axis params: one macro call to one value object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....dialects.diagnostics import HtpError
from ....dialects.suggestions import listed
from ...rules import PRIORITIES, Priority, Rule, TensorProperties, rule, tensor_properties
from ...rules.language.properties import Clause, OutputNames
from ...rules.tree.expr import External, OpForm, as_expr
from ..cpp.calls import MacroCall
from ..cpp.code import Code
from ..cpp.tokens import NotUnderstood, Token, TokenKind, Tokens, bare, closing, operands, text_of
from .language import CALLING, CLAUSES, Parser, function_at, number, string

_SIGNS = {"+": 1, "-": -1}
_DEEPEST = 20
"""Constants and brackets inside each other before a priority is given up."""


def _read_priority(token: Token, tokens: Tokens, code: Code, depth: int = 0) -> int:
    """Add up names, numbers and constants of the file; the name that is written is kept.

    NotUnderstood, at `token` where there is nothing else, for what is not a sum.
    """
    tokens = bare(tokens)
    refused = f"'{text_of(tokens)}' is no priority"
    total, sign, expected, index = 0, 1, True, 0
    while index < len(tokens):
        part = tokens[index]
        end = closing(tokens, index) if part.text == "(" else index
        if part.text in _SIGNS:
            sign, expected = _SIGNS[part.text] * (sign if expected else 1), True
        elif expected and end is not None and (end > index or part.kind in _TERMS):
            inside = tokens[index + 1 : end] if end > index else None
            if depth >= _DEEPEST:
                raise NotUnderstood(part, refused)
            term = _term(part, inside, code, depth)
            total, sign, expected = total + term if sign > 0 else total - term, 1, False
        elif end is None or part.text != "::":
            raise NotUnderstood(part, refused)
        index = (end or index) + 1
    if expected:
        raise NotUnderstood(token, refused)
    return total


_TERMS = (TokenKind.WORD, TokenKind.NUMBER)


def _term(token: Token, inside: Tokens | None, code: Code, depth: int) -> int:
    """Return a name of the language, a constant, a number, or the sum inside brackets."""
    if inside is not None:
        return _read_priority(token, inside, code, depth + 1)
    if token.text in PRIORITIES:
        return Priority(token.text)
    if token.text in code.values:
        return _read_priority(token, code.values[token.text], code, depth + 1)
    if token.kind is TokenKind.NUMBER and isinstance(term := number(token), int):
        return term
    known = listed(token.text, PRIORITIES)
    raise NotUnderstood(token, f"priority '{token.text}' is not known", known)


_WITH_FLAGS = ("DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "DEF_OPTIM")


@dataclass(frozen=True)
class Around:
    """The scope of a declaration: the file's code, Python functions, names of rules.

    `declared` are functions that comments declare, with where they do.
    """

    code: Code
    package: str
    externals: Mapping[str, External] = field(default_factory=dict)
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)


def read_rule(call: MacroCall, around: Around) -> Rule:
    """Return the rule that one call declares."""
    flagged = call.name in _WITH_FLAGS
    if len(call.args) != 4 + flagged:
        takes = f"it takes priority, {'flags, ' * flagged}match, constraint and replacement"
        raise NotUnderstood(call.token, f"{call.name} with {len(call.args)} operands", takes)
    flags = _flag_names(call.args[1]) if flagged else ()
    priority = _read_priority(call.token, call.args[0], around.code)
    match, constraint, replacement = (
        Parser(part, around.code.values, around.externals, around.declared).whole()
        for part in call.args[-3:]
    )
    name = around.names.get((call.token.file, call.token.line - 1))
    try:
        declared = rule(
            priority,
            as_expr(match),
            constraint,
            replacement,
            flags=flags,
            name=name,
            where=call.token.where,
        )
    except HtpError as error:
        raise NotUnderstood(call.token, error.faults[0].problem, "the rule was not made") from error
    return replace(declared, package=around.package, nth=call.nth)


def called_in(call: MacroCall) -> Iterator[str]:
    """Yield the functions whose bool or shape a declaration asks for, by name."""
    for part in call.args:
        for at, token in enumerate(part[:-2]):
            if token.text in CALLING and part[at + 1].text == "(":
                yield text_of(function_at(part, at + 2)).strip('()"')


def read_properties(call: MacroCall, around: Around) -> TensorProperties:
    """Return the tensor properties that one call declares."""
    if not call.args:
        raise NotUnderstood(call.token, "DEF_TENSOR_PROPERTIES without operands")
    op = Parser(call.args[0], around.code.values).whole()
    if not isinstance(op, OpForm) or op.at_least:
        raise NotUnderstood(call.token, f"'{text_of(call.args[0])}' is no Op() with its tensors")
    clauses = [_clause(call.token, part, around.code) for part in call.args[1:]]
    return tensor_properties(op, *clauses)


def read_axis_params(call: MacroCall, around: Around) -> tuple[str, ...]:
    """Return the names of params that are axes."""
    return tuple(string(call.token, part, around.code.values) for part in call.args)


def _clause(token: Token, tokens: Tokens, code: Code) -> Clause | OutputNames:
    words = [token.text for token in tokens[:2]]
    if len(words) < 2 or words[0] not in CLAUSES or words[1] != "(":
        problem = f"'{text_of(tokens)}' is no clause"
        known = listed(next(iter(words), ""), CLAUSES)
        raise NotUnderstood(tokens[0] if tokens else token, problem, known)
    if closing(tokens, 1) != len(tokens) - 1:
        raise NotUnderstood(tokens[0], f"'{text_of(tokens)}' goes on after its end")
    return CLAUSES[words[0]](*(string(token, part, code.values) for part in operands(tokens[2:-1])))


def _flag_names(tokens: Tokens) -> tuple[str, ...]:
    words = [token for token in tokens if token.kind is TokenKind.WORD]
    return tuple(token.text for token in words if token.text not in ("Flags", "flags"))
