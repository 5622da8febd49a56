"""Flags as tables: those that several commands have, and what their texts mean."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite, nan
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from ...dialects.diagnostics import HtpError, fail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..installed.environment import Environment

FlagTable = Mapping[str, Mapping[str, Any]]
"""Keyword arguments of `add_argument`, by the spellings of a flag: `-o --output`."""
STDIN = "-"


def flags(text: str, **settings: Mapping[str, Any]) -> FlagTable:
    """Read a table of flags: spellings, a word for the value, two spaces or more, the help.

    The word is `NAME`, `NAME...` where the flag may be repeated, `{text,json}` for choices, and
    absent of a switch; what has no dash is an operand. A help goes on in lines that are indented.
    `settings` are further arguments of `add_argument`, by the name of the value.
    Example: `-o --output FILE  where the outputs go`
    """
    table: dict[str, dict[str, Any]] = {}
    for head, said in entries(text):
        words = head.split()
        names = [word for word in words if word.startswith("-")] or words[:1]
        table[" ".join(names)] = {
            **_value(words[len(names) :], names[0].startswith("-")),
            "help": said,
            **settings.get(names[-1].lstrip("-").replace("-", "_"), {}),
        }
    return table


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Read a table of lines: a head, two spaces or more, a text that goes on in indented lines."""
    for entry in re.split(r"\n(?=\S)", dedent(text).strip()):
        head, _, said = entry.partition("  ")
        yield head, " ".join(said.split())


def _value(words: Sequence[str], is_flag: bool) -> dict[str, Any]:
    """Return how a value is read."""
    if not words:
        return {"action": "store_true"} if is_flag else {}
    if words[0].startswith("{"):
        return {"choices": tuple(words[0].strip("{}").split(","))}
    if words[0].endswith("..."):
        name = re.sub(r"(?<!,)\.{3}$", "", words[0])
        return {"action": "append", "default": [], "metavar": name}
    return {"metavar": words[0]}


def count(text: str) -> int:
    """Return the value of a flag that counts, from 0 on."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def number(text: str) -> int:
    """Return the value of a flag that counts, from 1 on."""
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def real(text: str) -> float:
    """Return the value of a flag that is a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise ArgumentTypeError(f"'{text}' is no finite number")
    return value


def tolerance(text: str) -> float:
    """Return the value of a flag that is a finite number from 0 on."""
    if (value := real(text)) < 0:
        raise ArgumentTypeError(f"'{text}' is no number from 0 on")
    return value


MODEL = flags(
    """
    model MODEL  a .mlir file or a model that a frontend reads; - or nothing: text on stdin
    """,
    model={"nargs": "?", "default": STDIN},
)
NAMED_MODEL = flags(
    "model MODEL  a .mlir file or a model that a frontend reads; - is text on stdin"
)
OPEN = flags(
    """
    --dim NAME=SIZE...  fix a symbolic dim
    --const NAME=VALUE...  fix an input: a number, a list such as 1,3,8,8, or @file.npy
    """
)
"""The flags that fix what a model leaves open."""
FALLBACK = flags(
    """
    --fallback  keep the ops of a .pt2 program that nothing converts; htp run computes them by
        PyTorch, also those in the text of such a graph
    """
)
INCLUDE = flags(
    "-I --include DIR...  a folder in which C++ packages find headers, beside their own"
)
DEFINES = flags(
    "-D --defines NAME[=VALUE]...  a macro for C++ packages, as their Makefile gives it"
)
PACKAGES = {
    **flags(
        """
        --package [NAME=]FILE|DIR|MODULE...  an op package to use: a Python file or module, which
            is imported, or C++ text, a file or a folder, which is only read; NAME is what a C++
            package is to be called (several sources of one NAME are one package) or which package
            of a Python file is meant
        """
    ),
    **INCLUDE,
}
MACHINE = flags(
    "--target {here,hexagon}  hexagon: build with clang for Hexagon, and run under QEMU",
    target={"dest": "machine"},
)
BUILD = {
    **DEFINES,
    **flags(
        """
        --build  compile C++ packages, and run their own kernels in a process beside this one
        """
    ),
    **MACHINE,
}
"""The flags of commands that run kernels of C++ packages."""
RESOURCES = flags(
    """
    --resources-from FILE  the file with the large constants of the text, where it is not the one
        that the text names
    """
)
READING = {**PACKAGES, **BUILD, **OPEN, **FALLBACK, **RESOURCES}
"""The flags of each command that reads a model."""
PASSES = flags(
    "-p --passes PIPELINE  the passes to run first: name{option=value},name, or @FILE",
    passes={"default": ""},
)
SEED = flags("--seed N  for the random inputs", seed={"type": count, "default": 0})
TOLERANCE = flags(
    """
    --tolerance REL  the largest error that is no fault, relative to the tensor's largest value
    """,
    tolerance={"type": tolerance},
)


def packages_in_use(arguments: Namespace) -> Environment:
    """Make the environment that the flags ask for; HtpError where a package cannot be loaded."""
    from ..installed.environment import environment

    return environment(arguments.package, **package_settings(arguments))


def package_settings(arguments: Namespace) -> dict[str, Any]:
    """Return what the flags say of reading and building packages, as `load_packages` takes it."""
    chosen = vars(arguments)
    hexagon = {"hexagon": True} if chosen.get("machine") == "hexagon" else {}
    names = ("include", "defines", "build", "kernel_limit")
    return {name: value for name in names if (value := chosen.get(name)) is not None} | hexagon


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Read `NAME=SIZE` texts as sizes by name; HtpError where one is something else."""
    dims: dict[str, int] = {}
    for text in texts:
        name, _, size = text.partition("=")
        if not (name and size.isdecimal()):
            raise fail("--dim", f"'{text}' is no NAME=SIZE", "write --dim batch=1")
        dims[name] = int(size)
    return dims


def parse_constants(texts: Sequence[str]) -> dict[str, ArrayLike]:
    """Read `NAME=VALUE` texts as numbers, lists and arrays by name; HtpError for other texts."""
    constants: dict[str, ArrayLike] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name and value.startswith("@"):
            from ..files.arrays import read_npy

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


def own_constants(file: str | Path) -> HtpError:
    """Make the error for a file of constants that is given for a model which holds its own."""
    problem = f"'{file}' is given, and the model holds its constants itself"
    return fail("--resources-from", problem, "leave it out")


def refuse_one_file(text: str | Path, resources: str | Path) -> None:
    """HtpError where the text and its constants are to be one file."""
    if Path(text).resolve() == Path(resources).resolve():
        raise fail("--resources", f"'{text}' is to have the text", "name another file")


TEXTS = {"--plan": ".csv", "--save-tiles": ".json", "--save-encodings": ".json", "--plot": ".svg"}
"""The flags that name a text to write, beside `-o`, and its suffix."""
WRITTEN = {
    "--output": "-o",
    "--output-file": "-o",
    **{f: f for f in (*TEXTS, "--save-state")},
}
"""The flags that name a file to write, as a user knows them."""


def refuse_overwriting(written: Mapping[str, object], read: Iterable[object]) -> None:
    """HtpError where a file to write, by its flag, is one that the command reads."""
    sources = [path for each in read if (path := _file(each))]
    for flag, target in written.items():
        path = _file(target)
        if path and any(map(path.samefile, sources)):
            raise fail(flag, f"'{target}' is what the command reads", "name another file")


def _file(value: object) -> Path | None:
    """Return the path of a file that is there; None for folders and all other values."""
    path = Path(value) if isinstance(value, str | Path) else None
    with suppress(OSError, ValueError):
        return path if path and path.is_file() else None
    return None
