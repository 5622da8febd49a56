"""Rules, tensor properties, axis params and param orders: one macro call to one value object."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....dialects.diagnostics import HtpError, listed
from ...rules import PRIORITIES, Priority, Rule, TensorProperties, rule, tensor_properties
from ...rules.graph.param_order import Param, ParamDefault, ParamOrder, param_order
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


_TRUTH = {"true": True, "false": False, "1": True, "0": False}
_SCALARS = (
    *("floatValue", "doubleValue", "bool8Value", "stringValue"),
    *(f"{sign}int{bits}Value" for bits in (8, 16, 32, 64) for sign in ("", "u")),
)
_TENSOR = ("v1", "v2", "clientBuf", "data")
_MAX_STEPS = 32


def read_param_order(call: MacroCall, code: Code) -> ParamOrder:
    """Return the order that one declaration states."""
    if len(call.args) % 3 != 1:
        problem = f"{len(call.args)} operands; an op and three for each param are expected"
        raise NotUnderstood(call.token, problem)
    op = string(call.token, call.args[0], code.values)
    params = [
        _param(call.token, call.args[at : at + 3], code) for at in range(1, len(call.args), 3)
    ]
    return param_order(op, *params)


def _param(token: Token, parts: Sequence[Tokens], code: Code) -> Param:
    name = string(token, parts[0], code.values)
    mandatory = _TRUTH.get(text_of(parts[1]))
    if mandatory is None:
        problem = f"'{text_of(parts[1])}' says not whether '{name}' is mandatory"
        raise NotUnderstood(token, problem, "write true or false")
    if text_of(parts[2]) in ("nullptr", "NULL", "0"):
        return Param(name, mandatory)
    return Param(name, mandatory, _Defaults(token, code).param(parts[2]))


class _Defaults:
    """Follows names and members of one default through the file's initialisers."""

    def __init__(self, token: Token, code: Code) -> None:
        self._token = token
        self._code = code
        self._steps = 0

    def param(self, tokens: Tokens) -> ParamDefault:
        """Return the default behind `&name` or a brace list."""
        default = self._resolved(tokens)
        scalar = self._member(default, "scalarParam")
        if scalar is not None:
            return self._scalar(self._resolved(scalar))
        tensor = self._member(default, "tensorParam")
        if tensor is not None:
            return self._tensor(self._resolved(tensor))
        raise self._wrong(tokens, "is neither a scalar param nor a tensor param")

    def _scalar(self, tokens: Tokens) -> ParamDefault:
        for name in _SCALARS:
            member = self._member(tokens, name)
            if member is not None:
                value = self._value(member)
                if name == "bool8Value" and isinstance(value, int | float):
                    return bool(value)
                if name in ("floatValue", "doubleValue") and isinstance(value, int | float):
                    return float(value)
                return value
        raise self._wrong(tokens, "has no value")

    def _tensor(self, tokens: Tokens) -> ParamDefault:
        for name in _TENSOR:
            inner = self._member(tokens, name)
            tokens = tokens if inner is None else self._resolved(inner)
        values = [self._value(part) for part in operands(tokens[1:-1]) if part]
        numbers = tuple(value for value in values if isinstance(value, int))
        if tokens[0].text != "{" or len(numbers) != len(values):
            raise self._wrong(tokens, "is no list of integers")
        return numbers

    def _resolved(self, tokens: Tokens) -> Tokens:
        """Return the tokens that a name represents, through casts and address signs."""
        value = bare(tokens)
        while value and (value[0].text in ("&", "(") or value[0].text in self._code.values):
            self._steps += 1
            if self._steps > _MAX_STEPS:
                raise self._wrong(tokens, "refers to itself")
            if value[0].text == "&":
                value = bare(value[1:])
            elif value[0].text == "(":
                end = next((i for i, t in enumerate(value) if t.text == ")"), len(value) - 1)
                value = bare(value[end + 1 :])
            else:
                value = bare(self._code.values[value[0].text])
        if not value:
            raise self._wrong(tokens, "is empty")
        return value

    def _member(self, tokens: Tokens, name: str) -> Tokens | None:
        """Return the value of `.name = value` in a brace list; `.a.b = value` counts as `.b`.

        A list in the list without a name is that of an unnamed union.
        """
        if tokens[0].text != "{":
            return None
        for part in operands(tokens[1:-1]):
            if part and part[0].text == "{":
                self._steps += 1
                if self._steps > _MAX_STEPS:
                    raise self._wrong(part, "is nested too deeply")
                inner = self._member(part, name)
                if inner is not None:
                    return inner
            words = [index for index, token in enumerate(part) if token.text == name]
            if words and part[0].text == "." and part[words[0] - 1].text == ".":
                value = part[words[0] + 1 :]
                value = value[1:] if value and value[0].text == "=" else value
                if value and words[0] in (1, 3):
                    return value
        return None

    def _value(self, tokens: Tokens) -> int | float | bool | str:
        constant = self._resolved(tokens)
        text = constant[-1].text
        if text in ("true", "false"):
            return text == "true"
        if constant[-1].kind is TokenKind.STRING:
            value = Parser(constant).whole()
        elif constant[-1].kind is TokenKind.NUMBER and text_of(constant[:-1]) in ("", "-", "+"):
            value = number(constant[-1])
            value = -value if constant[0].text == "-" and isinstance(value, int | float) else value
        else:
            raise self._wrong(tokens, "is no constant")
        if not isinstance(value, int | float | str):
            value = int(str(value).rstrip("U"))
        return value

    def _wrong(self, tokens: Tokens, why: str) -> NotUnderstood:
        shown = text_of(tokens)
        shown = shown if len(shown) < 40 else f"{shown[:40]}..."
        return NotUnderstood(self._token, f"the default '{shown}' {why}")
