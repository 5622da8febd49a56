"""Finding the calls of declaration macros among C++ code."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from ....dialects.diagnostics import did_you_mean
from .tokens import NotUnderstood, Token, TokenKind, Tokens, closing, operands

RULES = ("DEF_PACKAGE_OPTIMIZATION", "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "DEF_OPT", "DEF_OPTIM")
"""The macros that declare a rule."""
DECLARATIONS = (
    *RULES,
    "DEF_PACKAGE_OP",
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS",
    "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS",
    "DEF_TENSOR_PROPERTIES",
    "DEF_PACKAGE_PARAM_ORDER",
    "LIST_PACKAGE_AXIS_PARAMS",
    "CTOR_OPHOOK",
)
"""The macros that declare something."""

BOILERPLATE = (
    "BEGIN_PKG_OP_DEFINITION",
    "END_PKG_OP_DEFINITION",
    "BEGIN_PKG_OPS_OPTS_LIST",
    "END_PKG_OPS_OPTS_LIST",
    "DECLARE_PKG_OPS_OPTS_LIST",
    "DECLARE_OPS_OPTS_LIST",
    "INIT_PACKAGE_OP_DEF",
    "INIT_PACKAGE_OPTIMIZATION_DEF",
    "INIT_PACKAGE_PARAM_ORDER_DEF",
    "INIT_PKG_CORE_INIT_FUNC",
    "REGISTER_PACKAGE_OPS",
    "REGISTER_PACKAGE_OPTIMIZATIONS",
    "REGISTER_PACKAGE_PARAM_ORDERS",
    "REGISTER_PACKAGE_AXIS_PARAMS",
    "REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS",
    "LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS",
)
"""The macros that only tell a C++ compiler where declarations begin and end."""

_BEGINS = ("BEGIN_PKG_OP_DEFINITION",)
_LISTS = ("DECLARE_PKG_OPS_OPTS_LIST", "DECLARE_OPS_OPTS_LIST")
_SUSPECT = re.compile(r"(DEF|END|BEGIN|INIT|LIST|REGISTER|CTOR)_[A-Z_]{3,}")
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+")
_STATEMENT_ENDS = (";", "}", ")", "{")
_OPS = ("Op", "OpVarIn")
_OP_NAME = re.compile(r'"[A-Za-z][\w.]*"')
_TRANSPARENT = {"namespace", "extern"}
_BEFORE_OP = 60
"""Tokens before the first op of a call that may be a rule, at most."""


@dataclass(frozen=True)
class MacroCall:
    """One call of a declaration macro; `nth` is its number on a line with several rules, else 0."""

    token: Token
    args: tuple[Tokens, ...]
    nth: int = 0

    @property
    def name(self) -> str:
        """The macro's name."""
        return self.token.text

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for one call that several source files include."""
        return (self.token.where, self.name, *(t.text for arg in self.args for t in arg))


@dataclass(frozen=True)
class Found:
    """The content of a source file: calls, what looks like a call and is none, all other code."""

    calls: tuple[MacroCall, ...]
    faults: tuple[NotUnderstood, ...]
    code: Tokens


def find_calls(tokens: Tokens, lacking: bool = False) -> Found:
    """Return the calls of a token stream; one pass, going on behind what is broken.

    With headers `lacking`, what stands outside of functions like a call of a macro may be one.
    """
    calls: list[MacroCall] = []
    faults: list[NotUnderstood] = []
    code: list[Token] = []
    alone = {index for index in _outside(tokens) if _stands_alone(tokens, index, lacking)}
    starts = [i for i in range(len(tokens) - 1) if i in alone or _is_start(tokens, i)]
    index = 0
    for start, border in zip(starts, [*starts[1:], len(tokens)], strict=False):
        code += tokens[index:start]
        token = tokens[start]
        index = border
        end = closing(tokens, start + 1, border)
        if end is None:
            faults.append(NotUnderstood(token, f"{token.text}( is never closed", "add the ')'"))
            continue
        if token.text in DECLARATIONS:
            calls.append(MacroCall(token, tuple(operands(tokens[start + 2 : end]))))
        elif _SUSPECT.fullmatch(token.text) is None and token.text not in BOILERPLATE:
            with_op = ", and it is given an Op()" if _holds_op(tokens, start + 1) else ""
            problem = f"no macro {token.text} is known{with_op}"
            faults.append(NotUnderstood(token, problem, "give the folder of its header with -I"))
        elif token.text not in BOILERPLATE:
            # Macros have long words in common.
            known = (*DECLARATIONS, *BOILERPLATE)
            hint = did_you_mean(token.text, known, "it was passed over", least=0.75)
            faults.append(NotUnderstood(token, f"no macro {token.text} is known", hint))
        index = end + 1
    return Found(tuple(_numbered(calls)), tuple(faults), [*code, *tokens[index:]])


def _numbered(calls: Sequence[MacroCall]) -> Iterator[MacroCall]:
    """Yield the calls; rules of one line, written there or made by a macro, get numbers."""
    lines = Counter(call.token.where for call in calls if call.name in RULES)
    counts = {where: count(1) for where, rules in lines.items() if rules > 1}
    for call in calls:
        several = call.name in RULES and call.token.where in counts
        yield replace(call, nth=next(counts[call.token.where])) if several else call


def begun(tokens: Tokens) -> list[str]:
    """Return the names of the lists of declarations that a file begins."""
    return _named(tokens, _BEGINS)


def listed(tokens: Tokens) -> list[str]:
    """Return the lists in the order in which an interface file registers them."""
    return _named(tokens, _LISTS)


def _named(tokens: Tokens, macros: Sequence[str]) -> list[str]:
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return [c.text for a, b, c in triples if a.text in macros and b.text == "("]


def _is_start(tokens: Tokens, index: int) -> bool:
    """Tell whether a call of a macro begins here that declares, or looks as if it should."""
    name = tokens[index].text
    if tokens[index].kind is not TokenKind.WORD or tokens[index + 1].text != "(":
        return False
    if name in DECLARATIONS or name in BOILERPLATE or _SUSPECT.fullmatch(name) is not None:
        return True
    begins = index == 0 or tokens[index - 1].text in _STATEMENT_ENDS
    return begins and _MACRO.fullmatch(name) is not None and _holds_op(tokens, index + 1)


def _outside(tokens: Tokens) -> Iterator[int]:
    """Yield where statements begin outside of functions and classes; a call may end a line."""
    inside: list[bool] = []
    begin = 0
    for index, token in enumerate(tokens):
        before = tokens[index - 1]
        new_line = before.text == ")" and before.where != token.where
        if index == 0 or new_line or before.text in (";", "{", "}"):
            begin = index
            if not any(inside):
                yield index
        if token.text == "(":
            inside.append(True)
        elif token.text == "{":
            head = {part.text for part in tokens[begin:index]}
            inside.append(not head & _TRANSPARENT or "(" in head)
        elif token.text in ("}", ")") and inside:
            inside.pop()


def _stands_alone(tokens: Tokens, index: int, lacking: bool) -> bool:
    """Tell whether a statement is the call of a macro that may declare something.

    It is given a name in quotes, or a header that is not there may define it.
    """
    if _MACRO.fullmatch(tokens[index].text) is None or tokens[index + 1 : index + 2] == []:
        return False
    end = closing(tokens, index + 1) if tokens[index + 1].text == "(" else None
    if end is None or not (lacking or any(map(_is_name, tokens[index + 2 : end]))):
        return False
    after = tokens[end + 1 : end + 2]
    return not after or after[0].text in (";", "}") or after[0].where != tokens[end].where


def _is_name(token: Token) -> bool:
    return _OP_NAME.fullmatch(token.text) is not None


def _holds_op(tokens: Tokens, opening: int) -> bool:
    """Tell whether `Op("` stands between brackets, near their begin."""
    depth = 0
    for at in range(opening, min(opening + _BEFORE_OP, len(tokens) - 2)):
        here, after, last = tokens[at : at + 3]
        depth += (here.text == "(") - (here.text == ")")
        if not depth:
            return False
        if here.text in _OPS and after.text == "(" and last.kind is TokenKind.STRING:
            return True
    return False
