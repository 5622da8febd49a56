"""The place in a text that a parser's error is about, where the parser stops somewhere else."""

from __future__ import annotations

import re

from xdsl.utils.lexer import Span

_UNDEFINED = re.compile(r"values used but not defined: \[(%[\w.$-]+)")
_RETYPED = re.compile(r"previously used or defined with type")
_TOKENS = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|[(\[{}\])]')
_CLOSES = {"}": "{", ")": "(", "]": "["}


def blamed(span: Span, message: str) -> tuple[Span, str]:
    """Find the place that a parser's message is about, and what is wrong there."""
    text = span.input.content
    if match := _UNDEFINED.search(message):
        start = _first(match[1], text)
        return Span(start, start + len(match[1]), span.input), f"{match[1]} is not defined"
    if _RETYPED.search(message):
        start = _first(span.text, text)
        defined = Span(start, start + len(span.text), span.input).get_location()
        return span, f"{message}; {span.text} is first at {defined}"
    unclosed = None if text[span.start :].strip() else _unclosed(text)
    if unclosed is not None:
        return Span(unclosed, unclosed + 1, span.input), f"'{text[unclosed]}' is never closed"
    return span, message


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
