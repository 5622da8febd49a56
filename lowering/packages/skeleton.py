"""The skeleton of a new op package, which loads, lowers and runs unchanged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from string import Template

from ...dialects.diagnostics import HtpError, fail
from ...runtime.files.atomic import write_bytes
from .checks import name_faults
from .skeleton_text import BODIES, BODY, CPP, CPP_OP, MODEL, MODEL_OP, PYTHON, PYTHON_OP
from .to_cpp import identifier

_PARTS = {
    "python_ops": (PYTHON_OP, "\n\n\n"),
    "cpp_ops": (CPP_OP, "\n\n"),
    "bodies": (BODY, "\n\n\n"),
    "classes": ("        $camel,", "\n"),
    "properties": ("        ${upper}_PROPERTIES,", "\n"),
    "rules": ("        ${upper}_TILES,", "\n"),
}
"""The text for each op, and the text between two of them."""
_OP = re.compile(r"[A-Za-z][\w.]*", re.ASCII)


def skeleton(name: str, ops: Sequence[str], in_cpp: bool) -> dict[str, str]:
    """Return the files of a new package by their names.

    Each op takes one tensor and gives one like it, and as long as nobody writes more, it is a copy.
    HtpError for a name that is none, or an op that is given twice.
    """
    _check(name, ops)
    # The model has one op after the other, from %0, which is the input.
    model_ops = [
        _filled(MODEL_OP, {"name": name, "op": op, "into": str(index + 1), "of": str(index)})
        for index, op in enumerate(ops)
    ]
    whole = {"name": name, "model_ops": "\n".join(model_ops), "last": str(len(ops))}
    for key, (text, between) in _PARTS.items():
        whole[key] = between.join(_filled(text, _words(name, op)) for op in ops)
    files = {"package.py": BODIES, "package.cpp": CPP} if in_cpp else {"package.py": PYTHON}
    return {file: _filled(text, whole) for file, text in {**files, "model.mlir": MODEL}.items()}


def write_skeleton(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write the files into a folder, which is made if it is not there.

    HtpError, and nothing written, where one of them exists.
    """
    paths = {folder / name: text for name, text in files.items()}
    for path in paths:
        if path.exists():
            raise fail(str(path), "exists already", "name another folder with -o")
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(str(folder), error.strerror or str(error), "name a folder with -o") from error
    for path, text in paths.items():
        write_bytes(path, text.encode())
    return list(paths)


def _check(name: str, ops: Sequence[str]) -> None:
    if not name.isidentifier() or not name.isascii() or name in ("htp", "qti_aisw"):
        raise fail(f"package '{name}'", "this is no name for it", "take letters, digits and _")
    if faults := list(name_faults(name)):
        raise HtpError(*faults)
    for op in ops:
        if _OP.fullmatch(op) is None or op.endswith("."):
            remedy = "take letters, digits, _ and inner dots, a letter first"
            raise fail(f"op '{op}'", "this is no name", remedy)
    words = [_words(name, op)["lower"] for op in ops]
    for op, word in zip(ops, words, strict=True):
        if words.count(word) > 1:
            raise fail(f"op '{op}'", "is given twice, or another is spelled alike", "name it once")


def _words(name: str, op: str) -> dict[str, str]:
    """Return the op's name as each part of a file needs it."""
    parts = [part for part in re.split(r"[._]+|(?<=[a-z0-9])(?=[A-Z])", op) if part]
    lower = "_".join(parts).lower()
    camel = "".join(part[:1].upper() + part[1:] for part in parts)
    return {
        "name": name,
        "op": op,
        "lower": lower,
        "function": f"{lower}_" if iskeyword(lower) else identifier(lower),
        "upper": lower.upper(),
        "camel": f"{camel}Op",
    }


def _filled(text: str, words: Mapping[str, str]) -> str:
    return Template(text).substitute(words)
