"""A Python script of the user's, run in a copy of a process that has our packages loaded."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from runpy import run_path
from shutil import which
from tempfile import TemporaryDirectory

from ...runtime.tools.tool import ToolOutcome

_LOADED = [f"{__package__}.warm"]


def is_ours(path: Path) -> bool:
    """Tell whether the first line of a script names the Python that runs here."""
    try:
        with path.open(encoding="utf-8") as lines:
            first = lines.readline()
    except (OSError, UnicodeDecodeError):
        return False
    words = shlex.split(first.removeprefix("#!")) if first.startswith("#!") else []
    if words[:1] == ["/usr/bin/env"]:
        words = [which(words[1]) or "", *words[2:]] if len(words) > 1 else []
    return len(words) == 1 and os.path.exists(words[0]) and _same(words[0])


def _same(python: str) -> bool:
    """Compare with this Python; a virtual environment is a folder, not the program behind it."""
    here = Path(sys.executable)
    is_beside = Path(python).parent.resolve() == here.parent.resolve()
    return is_beside and os.path.samefile(python, here)


def run_script(path: str, arguments: Sequence[str], seconds: float) -> ToolOutcome | None:
    """Run a script to its end in a process of its own; None where it takes too long."""
    context = get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    with TemporaryDirectory(prefix="htp-reduce-") as folder:
        streams = [str(Path(folder) / name) for name in ("out", "err")]
        process = context.Process(target=_run, args=([path, *arguments], *streams))
        process.start()
        try:
            process.join(seconds)
            if process.exitcode is None:
                return None
            out, err = (Path(each).read_text(errors="replace") for each in streams)
            return ToolOutcome(process.exitcode, out, err)
        finally:
            process.kill()
            process.join()


def _run(argv: list[str], out: str, err: str) -> None:
    """Run a script as Python does, its streams in files."""
    for number, name in enumerate((out, err), 1):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv, sys.path[0] = argv, str(Path(argv[0]).parent)
    run_path(argv[0], run_name="__main__")
