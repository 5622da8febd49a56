"""Hooks of pytest that hold each test to what it says it needs.

A test fails that starts a program, or is the first of its process to import a package, that the
extra `test` does not bring, unless its `needs` name it. So a test that passes on a machine with
more passes on one with Python, git and make alone.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from .needs import PROGRAMS, named, needs

BASIC = {"bash", "env", "file", "git", "make", "sed", "sh", "uname"}
"""The programs that every machine is taken to have, and `file`, which Python's `platform` tries."""
OPTIONAL = {"colorama", "yaml", "_yaml"}
"""The packages that numba imports where they are installed, and does without."""
_INSTALLED = re.compile(r".*?/site-packages/([^/.]+)")
_FOLDERS = (sys.prefix, sys.base_prefix, tempfile.gettempdir())
"""The folders whose programs are Python's, the environment's, or a test's own."""
_START = subprocess.Popen.__init__
_started: set[str] = set()
"""The programs that tests have started since they were last looked at."""
_modules: set[str] = set()
_packages: set[str] = set()
"""The modules, and the packages beyond the extra, that were loaded at the last look."""


def pytest_configure() -> None:
    """Note what is loaded, and the program of each process that is started, from here on."""
    _new_packages()
    subprocess.Popen.__init__ = _start


def pytest_unconfigure() -> None:
    """Start processes as ever."""
    subprocess.Popen.__init__ = _START


def _start(process: subprocess.Popen[Any], args: Any, *rest: Any, **more: Any) -> None:
    _START(process, args, *rest, **more)
    program = args if more.get("shell") or isinstance(args, (str, os.PathLike)) else args[0]
    _started.add("sh" if more.get("shell") else os.fspath(program))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Refuse a module that imports more than it may."""
    report = yield
    if isinstance(collector, pytest.Module):
        names = named(collector.path.read_text(encoding="utf-8"))
        if told := beyond(names):
            report.outcome, report.longrepr = "failed", f"{collector.nodeid}: {told}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fail a test that used more than it may."""
    yield
    if told := beyond(needs(item)):
        pytest.fail(f"{item.nodeid}: {told}", pytrace=False)


def beyond(names: list[str]) -> str:
    """Say what was used since the last call and is neither here for all nor one of these."""
    programs = {_program(path) for path in _started if not _is_basic(path)} - {*names}
    _started.clear()
    packages = _new_packages()
    if {*names} - PROGRAMS.keys():
        packages.clear()
    words = [f"starts {name}" for name in sorted(programs)]
    words += [f"imports {name}" for name in sorted(packages)]
    return f"{', '.join(words)}\n  mark it needs(...)" if words else ""


def _program(path: str) -> str:
    """The name of a program in `PROGRAMS`, or else its own."""
    name = Path(path).name
    return next((key for key, names in PROGRAMS.items() if {path, name} & {*names}), name)


def _is_basic(path: str) -> bool:
    where = Path(shutil.which(path) or path)
    return where.name in BASIC or any(map(where.is_relative_to, _FOLDERS))


def _new_packages() -> set[str]:
    """The packages that were loaded since the last look and that the extra does not bring."""
    if len(sys.modules) == len(_modules):
        return set()
    names = sys.modules.keys() - _modules
    # Without those that a test took away, whose lack would make each later look a search.
    _modules.intersection_update(sys.modules)
    _modules.update(names)
    specs = (getattr(sys.modules.get(name), "__spec__", None) for name in names)
    files = (spec.origin or "" for spec in specs if spec is not None)
    packages = {match[1] for match in map(_INSTALLED.match, files) if match}
    packages -= _brought() | _packages
    _packages.update(packages)
    return packages


@cache
def _brought() -> frozenset[str]:
    """The packages of all distributions that the extra `test` asks for."""
    names: set[str] = set()
    for each in _closure("htp-mlir", frozenset(["test"]), set()):
        record = distribution(each).read_text("RECORD") or ""
        names |= {re.split(r"[/.,]", line, maxsplit=1)[0] for line in record.splitlines()}
    return frozenset(names | OPTIONAL)


def _closure(name: str, extras: frozenset[str], known: set[tuple[str, frozenset[str]]]) -> set[str]:
    """The installed distributions that one asks for, itself among them."""
    if (name, extras) in known:
        return set()
    known.add((name, extras))
    try:
        texts = distribution(name).requires or []
    except PackageNotFoundError:
        return set()
    names = {name}
    for each in map(Requirement, texts):
        if each.marker is None or any(each.marker.evaluate({"extra": e}) for e in ("", *extras)):
            names |= _closure(each.name, frozenset(each.extras), known)
    return names
