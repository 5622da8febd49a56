"""Models from files: IR text, and whatever formats frontends are installed for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from math import prod
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.diagnostics import fail
from ...dialects.op_faults import invalid
from ..environment import installed
from .source import Source
from .tool import explain

TEXT = "mlir"
GROUP = "htp_mlir.frontends"
"""Entry points of this group read a format: the name is the suffix, the value a function."""

MAX_ELEMENTS = 2**28
"""Elements of one tensor in text: a splat constant of that size takes the parser 2 GiB."""

_DIMS = re.compile(r"tensor<((?:\d+x)+)")

Frontend = Callable[..., ModuleOp]
"""Called with the path, and options by keyword; raises HtpError."""


def load_module(
    path: str | Path, *, dims: Mapping[str, int] | None = None, ctx: Context | None = None
) -> ModuleOp:
    """Load the verified module in a file: `.mlir` text, or a format that a frontend reads.

    `dims` gives symbolic dims of a model their sizes, `ctx` the dialects and packages in use beyond
    the installed ones. HtpError where the file is missing, its suffix is unknown, or what it holds
    is not valid.
    """
    path = Path(path)
    suffix = path.suffix.lstrip(".").lower()
    if suffix == TEXT:
        refuse_dims(dims)
        return parse_module(_read_text(path), str(path), ctx)
    return load_with_frontend(suffix, path, dims=dims, ctx=ctx)


def refuse_dims(dims: Mapping[str, int] | None) -> None:
    """HtpError where sizes are given for the symbolic dims of a text, which has none."""
    if dims:
        problem = f"'{next(iter(dims))}' is given, and text has no symbolic dims"
        raise fail("--dim", problem, "leave it out")


def load_with_frontend(
    suffix: str,
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    ctx: Context | None = None,
) -> ModuleOp:
    """Load a file with the frontend of this suffix.

    It gets `dims` and `ctx`, the context with the packages in use, where they are given.
    """
    known = frontends()
    if suffix not in known:
        names = ", ".join(f".{name}" for name in [TEXT, *sorted(known)])
        raise fail(str(path), f"has the unknown suffix '.{suffix}'", f"known are {names}")
    if not Path(path).is_file():
        raise fail(str(path), "no such file")
    frontend: Frontend = known[suffix].load()
    options: dict[str, object] = {"dims": dims} if dims else {}
    if ctx is not None:
        options["ctx"] = ctx
    return frontend(Path(path), **options)


def frontends() -> dict[str, EntryPoint]:
    """List the installed frontends by suffix; none is imported."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def parse_module(text: str, name: str = "<text>", ctx: Context | None = None) -> ModuleOp:
    """Parse a module and verify it; `name` names the file in errors.

    `ctx` gives the dialects, without it the installed ones.
    """
    check_text(text, name)
    try:
        source = Source(ctx or installed().context(), text, name)
        module = source.module()
        source.verify(module)
    except (ParseError, RecursionError, MemoryError, OverflowError) as error:
        raise explain(error, name) from error
    return module


def check_text(text: str, name: str, line_offset: int = 0) -> None:
    """Refuse what the parser should not see: no text, or constants that no memory holds."""
    if not text.strip():
        raise fail(name, "holds no text", "give a module")
    for match in _DIMS.finditer(text):
        elements = prod(int(dim) for dim in match[1].split("x")[:-1])
        if elements > MAX_ELEMENTS:
            line = text.count("\n", 0, match.start()) + line_offset + 1
            what = f"tensor<{match[1]}...> has {elements} elements"
            raise fail(f"{name}:{line}", what, f"at most {MAX_ELEMENTS} are taken")


def verify(module: ModuleOp, name: str = "module", after: str = "") -> None:
    """Check all of a module; HtpError names the first bad op, and the pass that ran before."""
    try:
        module.verify()
    except VerifyException as error:
        remedy = "fix the pass" if after else "correct the module or the passes before"
        raise invalid(error, name, remedy, after) from error
    except RecursionError as error:
        raise explain(error, name) from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise fail(str(path), "no such file") from error
    except (OSError, UnicodeDecodeError, MemoryError) as error:
        raise explain(error, str(path)) from error
