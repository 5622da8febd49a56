"""What the pages of the reference are written with: tables, lists, sentences of docstrings."""

import re
from collections.abc import Iterable
from inspect import cleandoc

EXAMPLE = re.compile(r"Example:\s*`([^`]+)`")
LINE = 100


def headline(docstring: str | None) -> str:
    """The first sentence of a module's docstring, without its full stop."""
    return re.split(r"[.:](?:\s|$)", docstring or "", maxsplit=1)[0]


def sentence(docstring: str | None) -> str:
    """The first paragraph on one line, without its example."""
    text = EXAMPLE.sub("", cleandoc(docstring or ""))
    return " ".join(text.split("\n\n")[0].split())


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(columns)
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def value_text(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(map(str, value))
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def wrapped(statement: str) -> str:
    """An example with its types on lines of their own where it is long."""
    if len(statement) <= LINE:
        return statement
    start = statement.rfind(" : ", 0, statement.index(" -> "))
    head, types = statement[:start], statement[start + 3 :]
    if len(types) + 4 <= LINE:
        return f"{head}\n  : {types}"
    operands, _, results = types.partition(" -> ")
    return f"{head}\n  : {operands}\n  -> {results}"
