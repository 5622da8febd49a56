"""Tokens of preprocessed C++, and their cut into the operands of a macro call."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from ....dialects.diagnostics import Fault

_NUMBER_START = re.compile(r"\.?\d")
_NUMBER_PART = re.compile(r"[\w.]+")
_EXPONENT = re.compile(r"(?!0[xX])[\d.]+[eE]")
_OPEN, _CLOSE = {"(", "[", "{"}, {")", "]", "}"}


class TokenKind(Enum):
    """The kind of a token."""

    WORD = auto()
    NUMBER = auto()
    STRING = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source text and where it stands; what a macro makes stands where it is called."""

    kind: TokenKind
    text: str
    file: str
    line: int

    @property
    def where(self) -> str:
        """`file:line`, for messages."""
        return f"{self.file}:{self.line}"


Tokens = Sequence[Token]


class NotUnderstood(Exception):
    """A part of the source that the reader cannot take; carries the fault to list."""

    def __init__(self, token: Token, problem: str, remedy: str = "it was passed over") -> None:
        super().__init__(problem)
        self.fault = Fault(token.where, problem, remedy)


@dataclass(frozen=True, slots=True)
class Piece:
    """A preprocessor's token: its text, empty for white space."""

    text: str
    file: str
    line: int


def tokens_of(pieces: Iterable[Piece]) -> list[Token]:
    """Pieces joined where C++ has one number or `::`, white space dropped."""
    joined: list[Token] = []
    number: Piece | None = None
    before = ""
    for piece in pieces:
        if piece.text == before == ":" and joined[-1].text == ":":
            joined[-1] = replace(joined[-1], text="::")
            before = ""
            continue
        before = piece.text
        if number is not None and _goes_on(number.text, piece.text):
            number = Piece(number.text + piece.text, number.file, number.line)
            continue
        if number is not None:
            joined.extend(_number_or_dot(number))
            number = None
        if _NUMBER_START.match(piece.text) or piece.text == ".":
            number = piece
        elif piece.text:
            joined.append(Token(_kind(piece.text), piece.text, piece.file, piece.line))
    return joined + (_number_or_dot(number) if number is not None else [])


def _goes_on(number: str, text: str) -> bool:
    if number == ".":
        return bool(re.match(r"\d", text))
    if text in ("+", "-"):
        return _EXPONENT.fullmatch(number) is not None
    return _NUMBER_PART.fullmatch(text) is not None


def _number_or_dot(piece: Piece) -> list[Token]:
    kind = TokenKind.OTHER if piece.text == "." else TokenKind.NUMBER
    return [Token(kind, piece.text, piece.file, piece.line)]


def _kind(text: str) -> TokenKind:
    if text[0].isalpha() or text[0] == "_":
        return TokenKind.WORD
    return TokenKind.STRING if text[0] == '"' and len(text) > 1 else TokenKind.OTHER


def closing(tokens: Tokens, start: int, end: int | None = None) -> int | None:
    """Return the index of the token that closes the bracket at `start`; None where none does."""
    depth = 0
    for index in range(start, len(tokens) if end is None else end):
        depth += _turn(tokens[index])
        if depth == 0:
            return index
    return None


def operands(tokens: Tokens, angles: bool = False) -> list[list[Token]]:
    """Tokens cut at the commas outside brackets (and `angles`: outside `<>`); none for none."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += _turn(token)
        if angles and token.text in ("<", ">", ">>"):
            depth += token.text.count("<") - token.text.count(">")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts if tokens else []


def text_of(tokens: Tokens) -> str:
    """Tokens as C++ text in one spelling: `f<A, 3>`, `const T &`."""
    text = ""
    for before, token in zip([None, *tokens], tokens, strict=False):
        words = before and all(
            t.kind in (TokenKind.WORD, TokenKind.NUMBER) for t in (before, token)
        )
        text += f" {token.text}" if words or (before and before.text == ",") else token.text
    return text


def bare(tokens: Tokens) -> Tokens:
    """Tokens without the brackets around all of them."""
    while len(tokens) > 2 and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _turn(token: Token) -> int:
    if token.kind is not TokenKind.OTHER:
        return 0
    return (token.text in _OPEN) - (token.text in _CLOSE)
