"""Accidents of IR text: bytes flipped, tokens lost, doubled and swapped, numbers made absurd."""

import re
from collections.abc import Callable, Sequence
from random import Random

_TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[A-Za-z_$][\w$.-]*|\d+\.\d*(?:e[-+]?\d+)?|\d+|\s+|->|.')
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_ABSURD = (
    *("0", "1", "2", "3", "7", "64", "255", "256", "1000", "65536", "999999", "1000000"),
    *("2147483648", "4294967296", "9223372036854775807", "18446744073709551616", "1" + "0" * 30),
    *("9" * 5000, "0x7", "0x" + "F" * 40, "1.5", "1e39", "1e308", "1e400", "0.0", "00", "?"),
)
_SCRAPS = (
    *("(", ")", "{", "}", "[", "]", "<", ">", '"', ",", ":", "=", "->", "-", "//", "?", "*", "#-}"),
    *("{-#", "%0", "%x", "%", "@main", "^bb0", "#htp.place<", "!htp.shape<1x1x1x1>", "tensor<"),
    *("tensor<*xf32>", "tensor<?x4xf32>", "tensor<2x2xi1000000>", "i1000000", "ui64", "bf16"),
    *("complex<f32>", "index", "dense<1.0>", "dense<>", 'dense<"0x00">', "memref<4xf32>", "none"),
    *("vector<4xf32>", "!quant.uniform<u8:f32, 0.5:128>", "!quant.uniform<i32:f32, {", "loc("),
    *("unit", "true", "[[", "array<i64: 1>", "affine_map<(d0)->(d0)>", "dense_resource<a>", "\x00"),
    *("builtin.module", "func.func", "func.return", "htp.Const", "qti_aisw.Const", "é", "\u2028"),
    *(
        "#quant",
        "!a = f32\n",
        "#a = 1\n",
        'module attributes {a = "b"}',
        "opaque<",
        "sparse<",
        "e9",
    ),
)

Change = Callable[[Random, list[str]], None]


def _at(random: Random, tokens: Sequence[str]) -> int:
    return random.randrange(len(tokens)) if tokens else 0


def _drop(random: Random, tokens: list[str]) -> None:
    at = _at(random, tokens)
    del tokens[at : at + random.choice((1, 1, 1, 2, 5, 30))]


def _double(random: Random, tokens: list[str]) -> None:
    at = _at(random, tokens)
    part = tokens[at : at + random.choice((1, 1, 2, 8, 40))]
    tokens[at:at] = part * random.choice((1, 1, 1, 2, 500 if len(part) < 9 else 3))


def _swap(random: Random, tokens: list[str]) -> None:
    if tokens:
        a, b = _at(random, tokens), _at(random, tokens)
        tokens[a], tokens[b] = tokens[b], tokens[a]


def _copy(random: Random, tokens: list[str]) -> None:
    """Put a token where another one of the same kind was, so that more survives the parser."""
    if tokens:
        a = _at(random, tokens)
        alike = [t for t in tokens if t != tokens[a] and _kind(t) == _kind(tokens[a])]
        tokens[a] = random.choice(alike or tokens)


def _kind(token: str) -> str:
    return "0" if token[0].isdigit() else "a" if token[0].isalpha() else token[0]


def _number(random: Random, tokens: list[str]) -> None:
    places = [index for index, token in enumerate(tokens) if _NUMBER.fullmatch(token)]
    # The x of a shape belongs to what follows it: `tensor<1x4xf32>` is 1, x4xf32.
    places += [index for index, token in enumerate(tokens) if re.match(r"x\d", token)]
    if places:
        at = random.choice(places)
        numbers = list(re.finditer(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", tokens[at]))
        number = random.choice(numbers)
        text = _other(random, number[0])
        tokens[at] = tokens[at][: number.start()] + text + tokens[at][number.end() :]


def _everywhere(random: Random, tokens: list[str]) -> None:
    """Change a dim in all types that have it, so that they still agree."""
    text = "".join(tokens)
    dims = sorted(set(re.findall(r"(?<=[<x])\d+(?=x)", text)))
    if dims:
        dim = random.choice(dims)
        tokens[:] = re.sub(rf"(?<=[<x]){dim}(?=x)", _other(random, dim), text)


def _other(random: Random, number: str) -> str:
    if random.random() < 0.5 and number.isdigit() and len(number) < 15:
        value = int(number)
        return str(random.choice((value + 1, max(value - 1, 0), value * 2, -value, value // 2)))
    return random.choice(_ABSURD)


def _scrap(random: Random, tokens: list[str]) -> None:
    at = _at(random, tokens)
    tokens[at : at + random.choice((0, 1))] = [random.choice(_SCRAPS)]


def _byte(random: Random, tokens: list[str]) -> None:
    if tokens:
        at = _at(random, tokens)
        place = random.randrange(len(tokens[at]) or 1)
        flipped = chr(ord((tokens[at] or " ")[place]) ^ (1 << random.randrange(7)))
        tokens[at] = tokens[at][:place] + flipped + tokens[at][place + 1 :]


_CHANGES: tuple[Change, ...] = (
    *(_drop, _double, _swap, _copy, _copy, _copy),
    *(_number, _number, _number, _everywhere, _everywhere, _scrap, _byte),
)


_FORMAL: tuple[Change, ...] = (_copy, _number, _everywhere)
"""Those that put a word for a word or a number for a number, so that a text keeps its form."""


def mutated(random: Random, text: str) -> str:
    """Return the text after one to four accidents, mostly one; half the texts keep their form."""
    tokens = _TOKEN.findall(text)
    changes, counts = random.choice(((_FORMAL, (1, 1, 2)), (_CHANGES, (1, 1, 1, 2, 4))))
    for _ in range(random.choice(counts)):
        random.choice(changes)(random, tokens)
    return "".join(tokens)
