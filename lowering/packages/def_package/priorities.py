"""Priorities as C++ text adds them up: `EARLY`, `EARLY + 2`, `(LATE - 1) + 3`, `2001`."""

from __future__ import annotations

from ....dialects.faults.suggestions import listed
from ...rules import PRIORITIES, Priority
from ..cpp.code import Code
from ..cpp.tokens import NotUnderstood, Token, TokenKind, Tokens, bare, closing, text_of
from .language import number

_SIGNS = {"+": 1, "-": -1}
_DEEPEST = 20
"""Constants and brackets inside each other before a priority is given up."""


def read_priority(token: Token, tokens: Tokens, code: Code, depth: int = 0) -> int:
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
        return read_priority(token, inside, code, depth + 1)
    if token.text in PRIORITIES:
        return Priority(token.text)
    if token.text in code.values:
        return read_priority(token, code.values[token.text], code, depth + 1)
    if token.kind is TokenKind.NUMBER and isinstance(term := number(token), int):
        return term
    known = listed(token.text, PRIORITIES)
    raise NotUnderstood(token, f"priority '{token.text}' is not known", known)
