"""Models from files: IR text, and whatever formats frontends are installed for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.faults.arguments import CONSTANTS, CONTEXT, DIMS, PATH, arguments
from ...dialects.faults.arguments import TEXT as TEXT_KIND
from ..files.budget import read_text
from ..installed.environment import installed
from ..installed.plugins import Plugin, plugins
from .errors import explain
from .flags import own_constants
from .source import check_text, verify_outside_in

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

TEXT = "mlir"
GROUP = "htp_mlir.frontends"
"""Entry points of this group read a format: the name is the suffix, the value a function."""

Frontend = Callable[..., ModuleOp]
"""Called with the path, and options by keyword; raises HtpError."""


@arguments(path=PATH, dims=DIMS, constants=CONSTANTS, ctx=CONTEXT, resources=PATH)
def load_module(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
    resources: str | Path | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Load the verified module in a file: `.mlir` text, or a format that a frontend reads.

    `dims` gives symbolic dims of a model their sizes, `constants` fixes inputs by name, `ctx` has
    the dialects and packages in use beyond the installed ones, `resources` is the file with the
    large constants of a text that is elsewhere than the text says; `fallback` keeps ops that
    nothing converts, where a format has such. HtpError where a file is missing, its suffix is
    unknown, or what it holds is not valid.
    """
    path = Path(path)
    suffix = path.suffix.lstrip(".").lower()
    if suffix == TEXT:
        refuse_fixed(dims, constants)
        if not path.exists():
            raise fail(str(path), "no such file", CHECK_PATH)
        return parse_module(read_text(path), str(path), ctx, resources)
    if resources is not None:
        raise own_constants(resources)
    return load_with_frontend(
        suffix, path, dims=dims, constants=constants, ctx=ctx, fallback=fallback
    )


def refuse_fixed(dims: Mapping[str, int] | None, constants: Mapping[str, ArrayLike] | None) -> None:
    """HtpError where dims or inputs of a text are to be fixed, which has none that are open."""
    flags = (("--dim", dims, "symbolic dims"), ("--const", constants, "inputs to fix"))
    for flag, named, absent in flags:
        if named:
            problem = f"'{next(iter(named))}' is given, and text has no {absent}"
            raise fail(flag, problem, "leave it out")


def load_with_frontend(
    suffix: str,
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Load a file with the frontend of this suffix.

    It gets `dims`, `constants`, `fallback` and `ctx`, the context with the packages in use, where
    they are given. HtpError for a fallback that it does not have.
    """
    known = frontends()
    if suffix not in known:
        raise unknown_suffix(path, [TEXT, *known])
    if not Path(path).is_file():
        raise fail(str(path), "no such file", CHECK_PATH)
    frontend = known[suffix].load(_frontend)
    if fallback and "fallback" not in signature(frontend).parameters:
        raise fail("--fallback", f"a .{suffix} file has no ops that can be kept", "leave it out")
    options: dict[str, object] = {"dims": dims or None, "constants": constants or None, "ctx": ctx}
    options |= {"fallback": True} if fallback else {}
    return frontend(Path(path), **{k: v for k, v in options.items() if v is not None})


def unknown_suffix(path: str | Path, known: Iterable[str], otherwise: str = "") -> HtpError:
    """Make the error for a file of a format that nothing reads, or of none by its name."""
    names = ", ".join(f".{name}" for name in sorted(known))
    path, also = Path(path), f", or say {otherwise}" if otherwise else ""
    if path.is_dir():
        return fail(str(path), "is a folder", f"name a file in it; known are {names}")
    if not path.suffix:
        problem = "has no suffix, which tells the format"
        return fail(str(path), problem, f"rename it, known are {names}{also}")
    return fail(str(path), f"has the unknown suffix '{path.suffix}'", f"known are {names}")


def frontends() -> dict[str, Plugin]:
    """List the installed frontends by suffix, our own first; none is imported."""
    return {plugin.entry.name: plugin for plugin in reversed(plugins(GROUP))}


def _frontend(name: str, value: Any) -> Frontend:
    if not callable(value):
        raise fail(f"frontend '{name}'", f"{value!r} is no function", "name a function of a path")
    return cast(Frontend, value)


@arguments(text=TEXT_KIND, name=TEXT_KIND, ctx=CONTEXT, resources=PATH)
def parse_module(
    text: str,
    name: str = "<text>",
    ctx: Context | None = None,
    resources: str | Path | None = None,
) -> ModuleOp:
    """Parse a module and verify it; `name` names the file in errors.

    `ctx` gives the dialects, without it the installed ones, `resources` the file with the large
    constants. Without it that is the file that the text names, from the folder of `name`. HtpError
    names file and line where the text is not a module or an op is not valid.
    """
    from .resources import attach
    from .source import LocatingParser

    check_text(text, name)
    try:
        source = LocatingParser(ctx or installed().context(), text, name)
        module = source.module()
        attach(module, source.handles, name, resources)
        source.verify(module)
    except (ParseError, RecursionError, MemoryError, OverflowError) as error:
        raise explain(error, name) from error
    return module


def verify(module: ModuleOp, name: str = "module") -> None:
    """Check all of a module; HtpError names the first bad op."""
    try:
        verify_outside_in(module)
    except (VerifyException, RecursionError) as error:
        raise explain(error, name) from error
