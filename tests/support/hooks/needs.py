"""Hooks of pytest for `needs`: what a test takes beside the extras that `make test` installs.

`@pytest.mark.needs("torch")` names a package as it is imported, a program of `PROGRAMS` or what
belongs to one, of `LIBRARIES`.
A test is skipped where one is absent. A module whose imports need it says so in one line,
`pytestmark = pytest.mark.needs("torch")`, and is not imported there.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

PROGRAMS = {
    "addr2line": ("addr2line",),
    "chromium": ("chromium", "chromium-browser", "google-chrome", "chrome"),
    "clang": ("clang-22", "clang++-22"),
    "dot": ("dot",),
    "emacs": ("emacs",),
    "g++": ("g++",),
    "lld": ("ld.lld-22",),
    "mlir-opt": ("mlir-opt-22", "mlir-opt"),
    "nvim": ("nvim",),
    "qemu-hexagon": ("qemu-hexagon",),
}
"""The programs that tests need, and the names under which each is looked for."""
LIBRARIES = {
    "eglot": (
        "emacs",
        "--batch",
        "--eval",
        "(progn (package-initialize) (unless (require 'eglot nil t) (kill-emacs 1)))",
    ),
}
"""What belongs to a program, and the command that succeeds where it is installed."""
WHOLE = "--whole"
_REASON = "Skipped: needs "
_MODULE = re.compile(r"^pytestmark = .*\bneeds\(([^)]*)\)", re.MULTILINE)
_TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)


@cache
def program(name: str) -> str | None:
    """The path of a program of `PROGRAMS`, or None where it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS[name])), None)


@cache
def is_here(name: str) -> bool:
    """Tell whether a program, a library of one or a package is installed."""
    if command := LIBRARIES.get(name):
        if program(command[0]) is None:
            return False
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return (program(name) if name in PROGRAMS else find_spec(name)) is not None


def needs(item: pytest.Item) -> list[str]:
    """The names that the marks of a test give."""
    return [name for mark in item.iter_markers("needs") for name in mark.args]


class _Unread(pytest.Module):
    """A module that cannot be imported: its tests are known by name alone."""

    def collect(self) -> Iterator[pytest.Item]:
        text = self.path.read_text(encoding="utf-8")
        names = named(text)
        for test in _TEST.findall(text):
            item: pytest.Item = _Unrun.from_parent(self, name=test)
            item.add_marker(pytest.mark.needs(*names))
            yield item


class _Unrun(pytest.Item):
    """A test of such a module, which is skipped before it would run."""

    def runtest(self) -> None:
        raise NotImplementedError(self.nodeid)


def named(text: str) -> list[str]:
    """The needs of a whole module."""
    return [name for each in _MODULE.findall(text) for name in re.findall(r'"([^"]+)"', each)]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the flag of a run in which nothing may be absent."""
    parser.addoption(WHOLE, action="store_true", help="a test that is skipped fails")


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    """Import no module whose needs are absent."""
    if all(map(is_here, named(module_path.read_text(encoding="utf-8")))):
        return None
    return _Unread.from_parent(parent, path=module_path)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose needs are absent, before its fixtures are made."""
    lacking = [name for name in needs(item) if not is_here(name)]
    if lacking:
        pytest.skip(f"needs {', '.join(lacking)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Make a failure of what is skipped in a run of everything."""
    report = yield
    # pytest reports an expected failure as skipped, too; that one did run.
    if report.skipped and item.config.getoption(WHOLE) and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"{report.longrepr[2]}, with {WHOLE}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count what was skipped by what it needs."""
    reasons = (report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    counts = Counter(reason.removeprefix(_REASON) for reason in reasons if _REASON in reason)
    if counts:
        each = ", ".join(f"{count} {names}" for names, count in counts.most_common())
        terminalreporter.write_line(f"{counts.total()} tests need more: {each}")
