"""The rule language as C++ writes it: tokens to the expressions that Python code makes."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ....dialects.diagnostics import Fault, HtpError, did_you_mean
from ....dialects.value import DType
from ... import rules as language
from ...rules.graph.graph import ExprKind as ValueKind
from ...rules.graph.graph import convert
from ...rules.language.properties import Clause, OutputNames
from ...rules.language.queries import CONJUNCTIONS
from ...rules.language.shape_functions import LIBRARY
from ...rules.tree.expr import Absent, Arg, Expr, External, Literal
from ...rules.tree.function import Function
from ..cpp.text import MAX_DIGITS, MAX_NESTING
from ..cpp.tokens import NotUnderstood, Token, TokenKind, Tokens, closing, text_of
from .express import PYTHON_ONLY

RULE_CONSTANTS: Mapping[str, Expr] = {
    name: value
    for name, value in vars(language).items()
    if isinstance(value, Expr) and not isinstance(value, Absent)
}
RULE_FUNCTIONS: Mapping[str, Function] = {
    **{
        name: value
        for name, value in vars(language).items()
        if isinstance(value, Function) and name not in PYTHON_ONLY
    },
    "int": language.INT,
    "size_t": language.UINT,
    "float": language.FLOAT,
}
NAMED_FORMS: Mapping[str, tuple[int, Callable[..., Arg]]] = {
    "Op": (1, language.Op),
    "OpVarIn": (1, language.OpVarIn),
    "LET": (1, language.LET),
    "OPCONST": (1, language.OPCONST),
    "Operand": (1, language.Operand),
    "FROM_DEFAULT_PACKAGE": (1, language.FROM_DEFAULT_PACKAGE),
    "OpMultiOut": (3, language.OpMultiOut),
}
"""Forms that are plain Python functions, and which operand of theirs must be a string."""
CLAUSES: Mapping[str, Callable[..., Clause | OutputNames]] = {
    "Flat": language.Flat,
    "Crouton": language.Crouton,
    "Tcm": language.Tcm,
    "MainMemory": language.MainMemory,
    "Outputs": language.Outputs,
}
"""The clauses of tensor properties."""
_FUNCTIONS: Mapping[str, Callable[..., Arg]] = {**RULE_FUNCTIONS, **CONJUNCTIONS}
_COUNTS = {"LET": 2, "OPCONST": 1, "Operand": 1, "FROM_DEFAULT_PACKAGE": 1}
CALLING = ("EXTERNAL_CONSTRAINT", "SHAPEFN_APPLY", "AUTOSPLIT_SHAPEFN_APPLY")
"""The functions of the language that call a function of a package and give what it gives."""
_EXTERNAL = {*CALLING, "EXTERNAL_REPLACE"}
_MAKERS = {
    "EXTERNAL_CONSTRAINT": "external_constraint",
    "EXTERNAL_REPLACE": "external_replacement",
}
_MESSAGES = {"MESSAGE", "MESSAGE_IF", "MESSAGE_IFNOT", "MESSAGE_VALUE"}
_TAKES_CLASS = {"LAYOUT_CHUNKSIZE"}
_FLOAT = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fF]?[lL]?")
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")

VOCABULARY = frozenset(
    (
        *(*RULE_CONSTANTS, *RULE_FUNCTIONS, *NAMED_FORMS, *CONJUNCTIONS, *CLAUSES),
        *language.PRIORITIES,
    )
) | {"DType"}
"""Every word of the language: none of them may be a macro of the source."""


@dataclass
class Parser:
    """Reads one operand of a declaration; `values` are the file's constants by name.

    `declared` says of functions that only a comment declares where it does.
    """

    tokens: Tokens
    values: Mapping[str, Tokens] = field(default_factory=dict)
    externals: Mapping[str, External] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)
    at: int = 0
    depth: int = 0

    def whole(self) -> Arg:
        """Return the one expression that all tokens make."""
        expression = self._expression(messages=False)
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            raise NotUnderstood(token, f"'{token.text}' after the end of the expression")
        return expression

    def _expression(self, messages: bool) -> Arg:
        token = self._take()
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise NotUnderstood(token, f"more than {MAX_NESTING} forms inside each other")
        try:
            return self._after(token, messages)
        finally:
            self.depth -= 1

    def _after(self, token: Token, messages: bool) -> Arg:
        match token.kind:
            case TokenKind.STRING:
                return self._string(token, messages)
            case TokenKind.NUMBER:
                return number(token)
            case TokenKind.WORD:
                return self._word(token)
        if token.text in ("-", "+") and self._peek(TokenKind.NUMBER):
            value = number(self._take())
            return _negative(value) if token.text == "-" else value
        if token.text == "(":
            expression = self._expression(messages)
            self._expect(")")
            return expression
        raise NotUnderstood(token, f"'{token.text}' is no part of a rule")

    def _word(self, token: Token) -> Arg:
        name = token.text
        while self._next_is("::"):
            self.at += 1
            name += f"::{self._take().text}"
        name = name.removeprefix("std::").removeprefix("hnnx::")
        if self._next_is("("):
            self.at += 1
            return self._call(token, name)
        if name in RULE_CONSTANTS:
            return RULE_CONSTANTS[name]
        owner, _, member = name.rpartition("::")
        if owner == "DType" and member in DType.__members__ and DType[member].on_htp:
            return DType[member]
        if name in self.values:
            return Parser(self.values[name], depth=self.depth).whole()
        raise NotUnderstood(token, f"'{name}' is not known", _near(name, RULE_CONSTANTS))

    def _call(self, token: Token, name: str) -> Arg:
        if name not in _FUNCTIONS and name not in NAMED_FORMS:
            known = (*_FUNCTIONS, *NAMED_FORMS)
            raise NotUnderstood(
                token, f"no function {name} in the rule language", _near(name, known)
            )
        args: list[Arg] = []
        if name in _EXTERNAL:
            args.append(self._external(name))
        elif name in _TAKES_CLASS and self._peek(TokenKind.WORD):
            args.append(self._take().text)
        while not self._next_is(")"):
            if args:
                self._expect(",")
            args.append(self._expression(name in _MESSAGES))
        self.at += 1
        try:
            return _made(token, name, args)
        except HtpError as error:
            fault = error.faults[0]
            raise NotUnderstood(token, fault.problem, fault.remedy) from error

    def _external(self, form: str) -> External:
        """Return a function's name, which may be a template instance in brackets."""
        named = function_at(self.tokens, self.at)
        self.at += len(named)
        if not named:
            raise NotUnderstood(self.tokens[self.at - 1], "a function's name is missing")
        name = text_of(named).strip('()"')
        if name in self.externals:
            return self.externals[name]
        if name in LIBRARY:
            return External(name)
        make = _MAKERS.get(form, "shape_function")
        remedy = f'give its Python side, load_cpp(..., externals=[{make}("{name}")(function)])'
        remedy += f" by {make} of htp_mlir.lowering.rules"
        if form in CALLING:
            remedy += ", or its C++ and --build"
        where = f", {self.declared[name]} declares it," if name in self.declared else ""
        raise NotUnderstood(named[0], f"the function '{name}'{where} has no Python side", remedy)

    def _string(self, token: Token, messages: bool) -> str:
        text = token.text[1:-1]
        while self._peek(TokenKind.STRING):
            text += self._take().text[1:-1]
        if "\\" not in text:
            return text
        if not messages:
            raise NotUnderstood(token, "this string holds an escape; only messages may")
        return _ESCAPE.sub(lambda escape: _unescaped(token, escape), text)

    def _take(self) -> Token:
        if self.at >= len(self.tokens):
            last = self.tokens[-1] if self.tokens else Token(TokenKind.OTHER, "", "", 0)
            raise NotUnderstood(last, "ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, text: str) -> None:
        token = self._take()
        if token.text != text:
            raise NotUnderstood(token, f"'{token.text}' where '{text}' is expected")

    def _next_is(self, text: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].text == text

    def _peek(self, kind: TokenKind) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].kind is kind


def function_at(tokens: Tokens, start: int) -> Tokens:
    """Return the tokens up to the next operand: a function's name, in brackets or not."""
    end = start
    while end < len(tokens) and tokens[end].text not in (",", ")"):
        close = closing(tokens, end) if tokens[end].text == "(" else end
        end = (len(tokens) if close is None else close) + 1
    return tokens[start:end]


def number(token: Token) -> Arg:
    """Return an integer or float as C writes it; U makes a size."""
    if len(token.text) > MAX_DIGITS:
        raise NotUnderstood(token, "this number is too long")
    integer = _INTEGER.fullmatch(token.text)
    if integer is None:
        if not _FLOAT.fullmatch(token.text):
            raise NotUnderstood(token, f"'{token.text}' is no number")
        return float(token.text.rstrip("fFlL"))
    digits = integer[1]
    try:
        value = int(digits, 8 if _is_octal(digits) else 0)
    except ValueError as error:
        raise NotUnderstood(token, f"'{token.text}' is no octal number") from error
    if "u" in integer[2].lower():
        return Literal(int(convert(value, ValueKind.SIZE)), ValueKind.SIZE)
    return value


def string(token: Token, tokens: Tokens, values: Mapping[str, Tokens]) -> str:
    """Return the string that tokens represent; `token` is the declaration's."""
    text = Parser(tokens, values).whole() if tokens else None
    if not isinstance(text, str):
        raise NotUnderstood(token, f"'{text_of(tokens)}' is no string")
    return text


def octal_notes(tokens: Tokens) -> Iterator[Fault]:
    """Yield a note on each integer that C++ reads as octal and that looks like another number."""
    for token in tokens:
        integer = _INTEGER.fullmatch(token.text) if token.kind is TokenKind.NUMBER else None
        if integer is not None and _is_octal(integer[1]) and len(token.text) <= MAX_DIGITS:
            digits = integer[1].lstrip("0")
            if len(digits) > 1 and not set(digits) & {"8", "9"}:
                problem = f"{token.text} is octal and means {int(digits, 8)}"
                yield Fault(token.where, problem, f"write {digits} if that was meant")


def _is_octal(digits: str) -> bool:
    return len(digits) > 1 and digits.startswith("0") and not digits.lower().startswith("0x")


def _unescaped(token: Token, escape: re.Match[str]) -> str:
    octal, *hexadecimal, plain = escape.groups()
    if plain is not None:
        return _PLAIN.get(plain, plain)
    code = int(octal, 8) if octal else int("".join(part or "" for part in hexadecimal), 16)
    if code > sys.maxunicode or 0xD800 <= code < 0xE000:
        raise NotUnderstood(token, f"'{escape[0]}' is no character")
    return chr(code)


def _negative(value: Arg) -> Arg:
    if isinstance(value, Literal) and isinstance(value.value, int):
        return Literal(convert(-value.value, value.kind), value.kind)
    return -value if isinstance(value, int | float) else value


def _made(token: Token, name: str, args: list[Arg]) -> Arg:
    """Return the form or function with these operands; HtpError where they do not suit."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](*args)
    texts, make = NAMED_FORMS[name]
    wanted = _COUNTS.get(name)
    if len(args) < texts or (wanted is not None and len(args) != wanted):
        raise NotUnderstood(token, f"{name} with {len(args)} operands")
    if not isinstance(args[texts - 1], str):
        raise NotUnderstood(token, f"operand {texts} of {name} is no string")
    if name == "OpMultiOut" and not all(type(arg) is int for arg in args[:2]):
        raise NotUnderstood(token, "OpMultiOut begins with two integers")
    if name == "LET" and not isinstance(args[1], Expr):
        raise NotUnderstood(token, "LET names no op")
    return make(*args)


def _near(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, known, "it was passed over")
