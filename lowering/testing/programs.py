"""The programs of RUN lines: Python entry points in this process, others where a project allows."""

import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO, StringIO, TextIOWrapper
from shutil import which
from typing import Any

from ...dialects.diagnostics import HtpError, fail, listed
from ...runtime.tools.tool import ToolOutcome

OURS = {
    "htp-opt": "htp_mlir.lowering.tools.htp_opt:main",
    "htp-run": "htp_mlir.runtime.tools.htp_run:main",
    "htp": "htp_mlir.lowering.tools.htp:main",
    **{
        f"htp-{name}": f"htp_mlir.lowering.tools.htp:htp_{name}"
        for name in ("package", "sweep", "reduce")
    },
    "xdsl-opt": "xdsl.tools.xdsl_opt:main",
}
"""The programs that every project has, by the function that runs each."""
_REMEDY = "name others in the ini file"
FILECHECKS = ("filecheck", "FileCheck")
"""The names of filecheck."""


@dataclass(frozen=True)
class Programs:
    """The programs that RUN lines may call: entry points by name, and external ones."""

    targets: Mapping[str, str] = field(default_factory=lambda: OURS)
    external: frozenset[str] = frozenset()

    def run(
        self, name: str, arguments: Sequence[str], stdin: str, merge: bool = False
    ) -> ToolOutcome:
        """Run a program to its end; HtpError for one that is not known or not there.

        With `merge` both streams are one, in the order of writing.
        """
        if name in FILECHECKS:
            from .checks import filecheck

            return filecheck(arguments, stdin)
        if name in self.targets:
            return run_target(name, self.targets[name], arguments, stdin, merge)
        if name not in self.external:
            raise self.unknown(name)
        folders = (os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath))
        path = which(name, path=os.pathsep.join(folders))
        if path is None:
            raise fail(name, "is not installed", "install it, or write REQUIRES into the file")
        done = subprocess.run(
            [path, *arguments],
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        return ToolOutcome(done.returncode, done.stdout, done.stderr or "")

    def unknown(self, name: str) -> HtpError:
        """Make the error for a program that is not one of these."""
        known = listed(name, [*FILECHECKS[:1], *self.targets, *sorted(self.external)])
        return fail(name, f"'{name}' cannot be run in process", f"{known}; {_REMEDY}")


def run_target(
    name: str, target: str, arguments: Sequence[str], stdin: str, merge: bool = False
) -> ToolOutcome:
    """Call `module:function` with these arguments as those of the process.

    A class is made and its `run` called, as a subclass of `xDSLOptMain` wants it. An exception is
    a traceback on stderr and status 1.
    """
    function = load_target(name, target)
    out = StringIO()
    err = out if merge else StringIO()
    with _process([name, *arguments], stdin), redirect_stdout(out), redirect_stderr(err):
        try:
            code = function().run() if isinstance(function, type) else function()
        except SystemExit as stop:
            code = stop.code
        except Exception:
            traceback.print_exc(file=err)
            code = 1
    if isinstance(code, str):
        err.write(f"{code}\n")
    status = code if isinstance(code, int) else int(bool(code))
    return ToolOutcome(status, out.getvalue(), "" if merge else err.getvalue())


def load_target(name: str, target: str) -> Callable[[], Any]:
    """Return what `module:attribute` names; HtpError where there is no such thing."""
    module, _, attribute = target.partition(":")
    try:
        value: Any = import_module(module)
        for part in attribute.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise fail(
            name, f"'{target}' cannot be loaded: {error}", "write module:function"
        ) from error
    if not callable(value):
        raise fail(name, f"'{target}' is no function", "name a function without arguments")
    function: Callable[[], Any] = value
    return function


@contextmanager
def _process(argv: list[str], stdin: str) -> Iterator[None]:
    """Give this process other arguments and another input; both, and warnings, are put back."""
    before = sys.argv, sys.stdin
    with warnings.catch_warnings():
        sys.argv, sys.stdin = argv, TextIOWrapper(BytesIO(stdin.encode()), encoding="utf-8")
        try:
            yield
        finally:
            sys.argv, sys.stdin = before
