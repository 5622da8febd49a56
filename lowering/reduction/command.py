"""The user's command that a module must keep failing."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from runpy import run_path
from shutil import which
from tempfile import TemporaryDirectory

from ...dialects.diagnostics import CHECK_PATH, fail
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


HERE = "{}"
"""Stands in a command for the file of the module."""
_INTERRUPTED = 130

Run = Callable[[Sequence[str]], ToolOutcome]


@dataclass(frozen=True)
class Command:
    """A command that fails on a module: its exit status is not 0, and its output has `match`.

    `tools` are run in this process, and scripts of this Python in copies of a process that has our
    packages loaded. One that takes longer than `seconds` does not fail.
    """

    words: Sequence[str]
    match: re.Pattern[str] | None
    seconds: float
    tools: Mapping[str, Run]

    def fails(self, text: str) -> bool:
        """Run the command on the text of a module."""
        is_named = any(HERE in word for word in self.words)
        words = self.words if is_named else [*self.words, HERE]
        with tempfile.TemporaryDirectory(prefix="htp-reduce-") as folder:
            path = Path(folder) / "module.mlir"
            path.write_text(text, encoding="utf-8")
            outcome = self._run([word.replace(HERE, str(path)) for word in words])
        if outcome is None or outcome.status == 0:
            return False
        return self.match is None or bool(self.match.search(outcome.out + outcome.err))

    def _run(self, words: Sequence[str]) -> ToolOutcome | None:
        """Run words; None where that takes too long."""
        if tool := self.tools.get(words[0]):
            outcome = tool(words[1:])
            if outcome.status == _INTERRUPTED:
                raise KeyboardInterrupt
            return outcome
        script = Path(words[0])
        if os.access(script, os.X_OK) and is_ours(script):
            return run_script(words[0], words[1:], self.seconds)
        try:
            with suppress(subprocess.TimeoutExpired):
                done = subprocess.run(
                    words,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=self.seconds,
                    check=False,
                    stdin=subprocess.DEVNULL,
                )
                return ToolOutcome(done.returncode, done.stdout, done.stderr)
        except OSError as error:
            raise fail(words[0], error.strerror or str(error), CHECK_PATH) from error
        return None
