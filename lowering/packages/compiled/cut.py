"""A source without the bodies that do not compile: what calls such a function ends there."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ....dialects.diagnostics import Fault
from .compiler_errors import is_unknown

_TOKEN = re.compile(
    r'^[ \t]*#(?:\\\n|[^\n])*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{};]',
    re.DOTALL | re.MULTILINE,
)
_HEAD = re.compile(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)(?:\s|const|noexcept|override|final)*$")
"""The end of a function's head, which has its name."""
_CLASS = re.compile(r"(?<!enum )\b(?:class|struct|union)\s+(\w+)(?=(?:\s+final)?\s*(?::[^;{}]*)?$)")
"""A class's name, before the end of its head."""
_MACROS = re.compile(
    r"(?:\s|//[^\n]*|/\*.*?\*/|[A-Z][A-Z0-9_]+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*+",
    re.DOTALL,
)
"""Macros and comments in front of a head."""
_REGISTERED = re.compile(
    r"\bDEF_PACKAGE_OP(?:_AND_\w+)?\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
_OPEN = re.compile(r"(?:\bnamespace(?:\s[\w\s:]*)?|\bextern\s*\"C\"\s*)$")
"""The head of what functions are in, unless it is a class."""


@dataclass(frozen=True)
class _Function:
    """A function, also one that is declared, or a class: its head, and its body between braces."""

    name: str
    head: int
    begin: int
    behind: int
    is_member: bool = False
    is_class: bool = False

    def covers(self, place: int, members: Iterable["_Function"]) -> bool:
        """Tell whether a place is in it; in a class, outside of the bodies that it has."""
        start = self.begin if self.is_member else self.head
        inner = self.is_class and any(each.begin <= place <= each.behind for each in members)
        return start <= place <= self.behind and not inner

    def goes(self, place: int) -> bool:
        """Tell whether all of it goes for a fault there: its name can be declared without it."""
        return self.is_class or (not self.is_member and self.head <= place < self.begin)


def cut(text: str, source: Path, faults: Iterable[Fault]) -> tuple[str, list[Fault]]:
    """Return a text whose functions with faults end the kernel, and these faults with names.

    One whose head has a fault is not there, and what is registered by its name is left out, as is
    a registration with a fault. Lines stay where they are, and so do the directives in them.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text)), len(text) + 1]
    places = [
        (each, starts[each.place.line - 1] + each.place.column - 1)
        for each in faults
        if each.place
        and Path(each.place.file).resolve() == source.resolve()
        and each.place.line < len(starts)
    ]
    named, parts, end = list[Fault](), list[str](), 0
    wrong = set[str]()
    functions = sorted(_functions(text), key=lambda each: each.head)
    members = [each for each in functions if each.is_member]
    for function in functions:
        name, begin, behind = function.name, function.begin, function.behind
        own = [each for each, place in places if function.covers(place, members) and place >= end]
        if own and any(function.goes(place) for _, place in places):
            # What else is said of the function follows from its head.
            own = sorted(own, key=lambda each: not is_unknown(each.problem))[: name not in wrong]
            wrong.add(name)
            parts += [text[end : function.head], _declared(function, text)]
            parts += _kept(text, function.head, behind)
            end = behind + 1
        elif own:
            parts += [text[end:begin], _ENDS.format(name), *_kept(text, begin, behind)]
            end = behind
        named += [replace(each, problem=f"{each.problem}; {name} ends there") for each in own]
    # What is said of registrations may follow from the functions.
    for match in () if named or not places else _REGISTERED.finditer(text):
        own = [each for each, place in places if match.start() <= place < match.end()][:1]
        if own:
            named += own
            text = text[: match.start()] + re.sub(r"[^\n\\]", " ", match[0]) + text[match.end() :]
    return "".join([*parts, text[end:]]), named


_ENDS = 'throw ::htp::End{{HTP_LACKS, "{} does not compile"}};'
_UNDECLARED = 'extern "C++" {{ template <typename...> ::htp::Undeclared {}(); }}'


def _declared(function: _Function, text: str) -> str:
    """Write what stands in for a function, or a class: then it has no members."""
    if function.is_class and (match := _CLASS.search(text, function.head, function.begin - 1)):
        return text[function.head : match.end()]
    return _UNDECLARED.format(function.name)


def _functions(text: str) -> Iterator[_Function]:
    """Yield the functions and the classes that are not inside another one."""
    open_, end = list[_Function](), 0
    for token in _TOKEN.finditer(text):
        sign, limits = token[0].lstrip()[0], (end, token.start())
        is_inside = any(each.name and not each.is_class for each in open_)
        is_member = any(each.is_member or each.is_class for each in open_)
        head = klass = None
        if sign in "{;" and not is_inside:
            head = _HEAD.search(text, *limits)
            klass = _CLASS.search(text, *limits) if sign == "{" and not is_member else None
        before = _MACROS.match(text, end) if head or klass else None
        start = before.end() if before else end
        name = head[1] if head and head.start() >= start else ""
        if sign == "{":
            is_class = klass is not None and not name
            name = klass[1] if klass and is_class else name
            is_member |= not (name or is_inside) and not _OPEN.search(text, *limits)
            open_.append(_Function(name, start, token.end(), 0, is_member, is_class))
        elif sign == "}" and open_:
            last = open_.pop()
            if last.name:
                yield replace(last, behind=token.start())
        elif head and name and not is_member and "=" not in text[start : head.start()]:
            yield _Function(name, start, token.start(), token.start())
        if sign in "{};#":
            end = token.end()


def _kept(text: str, begin: int, end: int) -> Iterator[str]:
    """Yield the directives and the ends of lines of a part."""
    at = begin
    for token in _TOKEN.finditer(text, begin, end):
        if token[0].lstrip()[0] == "#":
            yield "\n" * text.count("\n", at, token.start()) + token[0]
            at = token.end()
    yield "\n" * text.count("\n", at, end)
