"""The flags that fix what a model leaves open: sizes of dims, values of inputs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dialects.diagnostics import fail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_FALLBACK = (
    "keep the ops of a .pt2 program that nothing converts; htp-run computes them by PyTorch, also "
    "those in the text of such a graph"
)
_CONST = "fix an input: a number, a list such as 1,3,8,8, or @file.npy"


def add_model_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add("--dim", action="append", default=[], metavar="NAME=SIZE", help="fix a symbolic dim")
    add("--const", action="append", default=[], metavar="NAME=VALUE", help=_CONST)
    add("--fallback", action="store_true", help=_FALLBACK)


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """`NAME=SIZE` texts as sizes by name; HtpError where one is something else."""
    dims: dict[str, int] = {}
    for text in texts:
        name, _, size = text.partition("=")
        if not (name and size.isdecimal()):
            raise fail("--dim", f"'{text}' is no NAME=SIZE", "write --dim batch=1")
        dims[name] = int(size)
    return dims


def parse_constants(texts: Sequence[str]) -> dict[str, ArrayLike]:
    """`NAME=VALUE` texts as numbers, lists and arrays by name; HtpError for something else."""
    constants: dict[str, ArrayLike] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name and value.startswith("@"):
            from ...files.arrays import read_npy

            constants[name] = read_npy(value[1:])
            continue
        try:
            numbers = [_number(part) for part in value.split(",")]
        except ValueError:
            numbers = []
        if not (name and numbers):
            remedy = "write --const k=3, --const shape=1,3,8,8 or --const w=@file.npy"
            raise fail("--const", f"'{text}' is no NAME=VALUE", remedy)
        constants[name] = numbers if "," in value else numbers[0]
    return constants


def _number(text: str) -> float:
    """Return a number or a truth value; ValueError for anything else."""
    words = {"true": True, "false": False}
    if text.strip() in words:
        return words[text.strip()]
    try:
        return int(text)
    except ValueError:
        return float(text)
