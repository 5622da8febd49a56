"""The user's command that a module must keep failing."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...dialects.diagnostics import CHECK_PATH, fail
from ...runtime.tools.tool import ToolOutcome
from .script import is_ours, run_script

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
