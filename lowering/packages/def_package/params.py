"""DEF_PACKAGE_PARAM_ORDER, with defaults that C initialisers of the file hold."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.graph.param_order import Param, ParamDefault, ParamOrder, param_order
from ..cpp.calls import MacroCall
from ..cpp.code import Code
from ..cpp.tokens import NotUnderstood, Token, TokenKind, Tokens, bare, operands, text_of
from .language import Parser, number, string

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
