"""A source without the bodies that do not compile: what calls such a function ends there."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ....dialects.diagnostics import Fault

_TOKEN = re.compile(
    r'^[ \t]*#(?:\\\n|[^\n])*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{};]',
    re.DOTALL | re.MULTILINE,
)
_HEAD = re.compile(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)(?:\s|const|noexcept|override|final)*$")
"""The end of a function's head, which has its name."""


def cut(text: str, source: Path, faults: Iterable[Fault]) -> tuple[str, list[Fault]]:
    """Return a text whose functions with faults end the kernel, and these faults with names.

    Lines stay where they are, and so do the directives in them.
    """
    lines = [
        (each, each.place.line)
        for each in faults
        if each.place and Path(each.place.file).resolve() == source.resolve()
    ]
    named, parts, end = list[Fault](), list[str](), 0
    for name, begin, behind in _bodies(text):
        first = text.count("\n", 0, begin) + 1
        last = first + text.count("\n", begin, behind)
        own = [each for each, line in lines if first <= line <= last]
        if own:
            named += [replace(each, problem=f"{each.problem}; {name} ends there") for each in own]
            parts += [text[end:begin], f'throw ::htp::Lacking("{name} does not compile");']
            parts += ["".join(_kept(text, begin, behind))]
            end = behind
    return "".join([*parts, text[end:]]), named


def _bodies(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the bodies of functions: the name, and where it is between its braces."""
    open_, end = list[tuple[str, int]](), 0
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            head = _HEAD.search(text, end, token.start())
            open_.append((head[1] if head else "", token.end()))
        elif token[0] == "}" and open_:
            name, begin = open_.pop()
            if name and not any(outer for outer, _ in open_):
                yield name, begin, token.start()
        if token[0][0] in "{};#" or token[0].lstrip()[0] == "#":
            end = token.end()


def _kept(text: str, begin: int, end: int) -> Iterator[str]:
    """Yield the directives and the ends of lines of a part."""
    at = begin
    for token in _TOKEN.finditer(text, begin, end):
        if token[0].lstrip()[0] == "#":
            yield "\n" * text.count("\n", at, token.start()) + token[0]
            at = token.end()
    yield "\n" * text.count("\n", at, end)
