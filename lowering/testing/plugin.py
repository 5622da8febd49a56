"""The pytest plugin: `.mlir` files with RUN lines are tests, where an ini file says so.

Only pytest is imported until then.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from .items import MlirFile

Kind = Literal["bool", "linelist", "args"]
INI: tuple[tuple[str, Kind, object, str], ...] = (
    ("htp_mlir", "bool", False, "make tests of .mlir files with RUN lines"),
    ("htp_mlir_tools", "linelist", [], "further programs, NAME = module:function, one a line"),
    ("htp_mlir_external", "args", [], "external programs that RUN lines may call"),
    ("htp_mlir_features", "args", [], "features that REQUIRES, UNSUPPORTED and XFAIL know"),
    ("htp_mlir_substitutions", "linelist", [], "substitutions, %NAME = words, one a line"),
    ("htp_mlir_exclude", "args", ["inputs", "Inputs", "Output"], "folders without tests"),
)
"""The options of the ini file: name, type, default, help."""
UPDATE = "--update-checks"
WRITTEN = "Captured checks call"
"""The section of a test's report that says that its file was changed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the ini file and the flag."""
    for name, kind, default, text in INI:
        parser.addini(name, text, type=kind, default=default)
    group = parser.getgroup("htp-mlir")
    group.addoption(
        UPDATE, action="store_true", help="write new CHECK lines into .mlir files that fail"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the options once; a bad one ends the run in two lines."""
    try:
        active = config.getini("htp_mlir")
    except (ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"ini option htp_mlir: {error}\n  write true or false") from error
    if active:
        from .settings import SETTINGS, read_settings

        config.stash[SETTINGS] = read_settings(config)
    elif config.getoption(UPDATE):
        raise pytest.UsageError(f"{UPDATE}: htp-mlir is not active\n  write htp_mlir = true")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say into which files new CHECK lines were written."""
    for reports in (terminalreporter.stats.get(key, []) for key in ("passed", "failed")):
        for report in reports:
            if WRITTEN in dict(report.sections):
                terminalreporter.write_line(f"{report.nodeid}: new CHECK lines were written")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> MlirFile | None:
    """Make a test of a .mlir file, unless its folder is one of `htp_mlir_exclude`."""
    if file_path.suffix != ".mlir" or not parent.config.getini("htp_mlir"):
        return None
    from .items import MlirFile
    from .settings import SETTINGS

    folders = file_path.parent.parts[len(parent.config.rootpath.parts) :]
    if set(folders) & parent.config.stash[SETTINGS].exclude:
        return None
    return MlirFile.from_parent(parent, path=file_path)
