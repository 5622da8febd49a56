"""Damaged texts: what is left of a package source after some accidents."""

from collections.abc import Callable
from random import Random

_SCRAPS = (
    *("(", ")", "{", "}", "[", "]", "<", ">", '"', "'", ",", ";", "\\", "\n", "/*", "*/", "//"),
    *("#", "##", "#define ", "#define X X X\n", "#if ", "#endif\n", "#else\n", "#elif 1\n"),
    *("#include <a>\n", '#include "package.cpp"\n', "#undef TILE\n", "#define F(x, ...) x F(x)\n"),
    *("Op", "DEF_OPT(", "OK", "1e", "0x", "9" * 30, "-", "+", "::", "&", "...", "__VA_ARGS__"),
    *("__COUNTER__", "defined", "template <", "static T x = ", "=", "=", "λ", "\u2028", "\t", "\r"),
    *("\x00", "??/", 'R"(', "1'0", "LATE", "<<", "F(F(F(", "#pragma\n", "_Pragma(", "L'"),
)

Change = Callable[[Random, str], str]


def _cut(random: Random, text: str) -> str:
    start = random.randrange(len(text) + 1)
    return text[:start] + text[start + random.randrange(60) :]


def _truncate(random: Random, text: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def _insert(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(_SCRAPS) * random.choice((1, 1, 1, 3, 40)) + text[at:]


def _repeat(random: Random, text: str) -> str:
    start = random.randrange(len(text) + 1)
    end = start + random.randrange(200)
    return text[:end] + text[start:end] + text[end:]


def _swap(random: Random, text: str) -> str:
    a, b, c = sorted(random.randrange(len(text) + 1) for _ in range(3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _replace(random: Random, text: str) -> str:
    if not text:
        return random.choice(_SCRAPS)
    at = random.randrange(len(text))
    return text[:at] + random.choice((*_SCRAPS, chr(random.randrange(256)))) + text[at + 1 :]


_CHANGES: tuple[Change, ...] = (_cut, _truncate, _insert, _insert, _repeat, _swap, _replace)


def damaged(random: Random, text: str) -> str:
    """The text after one to eight accidents."""
    for _ in range(random.randint(1, 8)):
        text = random.choice(_CHANGES)(random, text)
    return text
