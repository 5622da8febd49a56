"""The notation of pass pipelines: xDSL's, with lines, comments, nested pipelines and points.

`htp-lower{after=htp-fold:my-pass}` needs no quotes, and a pipeline inside an option stands in
square brackets: `outer{inner=[a{x=1}, b]}`. Lines may be broken anywhere between words, and `//`
begins a comment. `plain` gives the same pipeline in xDSL's own notation, on one line, and
`pipeline_text` writes passes in ours, so that reading it gives equal passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

if TYPE_CHECKING:
    from xdsl.utils.arg_spec import ParameterListType, ParameterType

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|\s+|[\[\]{},=]|(?:(?!//)[^\s"\[\]{},=])+|.')
_WORD = re.compile(r"[A-Za-z0-9_-]+")
_NUMBER = re.compile(r"[-+]?[0-9.][0-9.eE+-]*")


def plain(text: str) -> str:
    """Return a pipeline in the notation of xDSL, on one line."""
    return _until("", iter(_TOKEN.findall(text)))


def _until(end: str, tokens: Iterator[str]) -> str:
    """Read up to a closing bracket; spaces stay where they part options."""
    parts: list[str] = [""]
    depth, space = 0, False
    for token in tokens:
        if token == end:
            break
        if token.startswith("//") or token.isspace():
            space = True
            continue
        if space and depth and parts[-1] not in ("{", ",", "=") and token not in ("}", ",", "="):
            parts.append(" ")
        space = False
        depth += (token == "{") - (token == "}")
        if token == "[":
            token = _bracket(parts, _until("]", tokens))
        elif depth and parts[-1] in ("=", ",") and token[0] not in '"[]{},=':
            is_bare = _WORD.fullmatch(token) or _NUMBER.fullmatch(token)
            token = token if is_bare else quoted(token)
        parts.append(token)
    return "".join(parts)


def _bracket(parts: list[str], inner: str) -> str:
    """Return a pipeline in brackets as an option's value; behind `point:` it goes with that."""
    if parts[-1] == "=":
        return quoted(inner)
    if parts[-1].endswith(':"'):
        return quoted(parts.pop()[1:-1] + inner)
    # Behind a pass's name it is a pipeline for mlir-opt.
    return f"[{inner}]"


def quoted(text: str) -> str:
    """Return text as a string of a pipeline."""
    return '"' + text.replace("\\", r"\\").replace('"', r"\"") + '"'


def pipeline_text(steps: Sequence[ModulePass]) -> str:
    """Write passes as a pipeline, one on a line."""
    return ",\n".join(map(one_step, steps))


def one_step(step: ModulePass) -> str:
    """Write a pass with its options."""
    parameters = step.spec().parameters.items()
    options = " ".join(_option(name, values) for name, values in parameters)
    return f"{step.name}{{{options}}}" if options else step.name


def with_files(step: ModulePass, move: Callable[[str], str]) -> ModulePass:
    """Return a pass with other names in the options that hold files, which its `FILES` names."""
    names: Sequence[str] = getattr(step, "FILES", ())
    files = {name: getattr(step, name) for name in names}
    return replace(step, **{name: move(file) for name, file in files.items() if file})


def _option(name: str, values: ParameterListType) -> str:
    key = name.replace("_", "-")
    return f"{key}={','.join(map(_shown, values))}" if values else key


def _shown(value: ParameterType) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    # A word that reads as a number or a truth value would change its type.
    free = _WORD.fullmatch(value) and not value[0].isdigit() and value not in ("true", "false")
    return value if free and value[0] != "-" else quoted(value)
