"""Where packages come from: files and modules that the user names, and what is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from xdsl.context import Context

from ...dialects.diagnostics import HtpError, fail
from ...runtime.environment import PACKAGES
from .cpp.loading import SUFFIXES, load_cpp
from .from_cpp import from_cpp
from .package import OpPackage
from .packages import PackageContext, Packages

T = TypeVar("T")

VARIABLE = "PACKAGE"
"""The name under which a file or module holds its package."""


def load_packages(*sources: str | Path) -> Packages:
    """The package `htp`, those that are installed, and those of these files or modules.

    HtpError where one cannot be loaded or does not fit the others.
    """
    return installed().extended(*map(load_package, sources))


def load_package(source: str | Path) -> OpPackage:
    """The package of a Python file or module, or of C++ text (a file, or a folder of files).

    Python is imported, so its code runs. C++ is only read: what is passed over is a note on
    standard error, and the ops have no bodies (see `from_cpp` for those).
    """
    path = Path(source)
    if path.suffix in SUFFIXES or path.is_dir():
        return _read_cpp(path)
    module = _import(str(source))
    found = getattr(module, VARIABLE, None)
    if isinstance(found, OpPackage):
        return found
    remedy = f'write {VARIABLE} = op_package("Name", ops=[...], kernels=[...], rules=[...])'
    raise fail(str(source), f"holds no package under the name {VARIABLE}", remedy)


@cache
def installed() -> Packages:
    """The package `htp` and those that installed distributions offer by entry point."""
    found: list[OpPackage] = []
    for entry in sorted(entry_points(group=PACKAGES), key=lambda entry: entry.name):
        package = _guarded(f"package {entry.name}", entry.load)
        if not isinstance(package, OpPackage):
            raise fail(f"package {entry.name}", f"{entry.value} is no OpPackage", "uninstall it")
        found.append(package)
    return Packages().extended(*found)


def packages_of(ctx: Context) -> Packages:
    """The packages that a pass works with: those of its context, else the installed ones."""
    return ctx.packages if isinstance(ctx, PackageContext) else installed()


def _read_cpp(path: Path) -> OpPackage:
    read, summary = load_cpp(path)
    for fault in summary.skipped:
        print(f"note: passed over: {fault.line()}", file=sys.stderr)
    return from_cpp(read)


def _import(source: str) -> ModuleType:
    path = Path(source)
    if path.suffix == ".py":
        return _guarded(source, lambda: _import_file(path))
    return _guarded(source, lambda: import_module(source))


def _import_file(path: Path) -> ModuleType:
    """Import a file, each time anew, under a name that no other file has."""
    path = path.resolve(strict=True)
    name = f"htp_package_{path.stem}_{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _guarded(where: str, load: Callable[[], T]) -> T:
    """What a user's code gives when it is imported; what it raises becomes an error about it."""
    try:
        return load()
    except HtpError:
        raise
    except FileNotFoundError as error:
        raise fail(where, "no such file") from error
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())
        raise fail(where, f"cannot be imported: {type(error).__name__}: {text}") from error
