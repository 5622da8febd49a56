"""Reduction of a module by delta debugging, as mlir-reduce does it, while a user's command fails.

Each kind of edit lists its sites: functions, ops, outputs, constants and so on. A bisection finds
the first op that the function may end at. Most edits are tried on all sites at once, then on
halves, down to single ones; a smaller module that verifies and
still fails is the new best, and the search goes on from there. It ends where no edit helps, or
after a number of trials; a module of n sites takes about n * log2(n). Nothing is drawn at random.

Example: of the ops a, b, c, d only c fails. Without a and b it fails, without c and d it does not,
without d it does: c alone is left.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from math import prod
from multiprocessing import get_context
from pathlib import Path
from runpy import run_path
from shutil import which
from tempfile import TemporaryDirectory

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.text.printer import ModulePrinter
from ...runtime.tools.tool import ToolOutcome
from .edits import EDITS, Edit, Search
from .one_function import NotPossible

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


Fails = Callable[[str], bool]
"""Tells whether the text of a module still shows the fault."""
Size = tuple[int, int, int]


@dataclass(frozen=True)
class Progress:
    """The progress of a reduction: the kind of edit, the trials, and the ops that are left."""

    edit: str
    trials: int
    ops: int


@dataclass(frozen=True)
class Best:
    """A module that fails, with its text."""

    module: ModuleOp
    text: str

    @property
    def size(self) -> Size:
        """The number of ops and arguments, that of elements of all results, that of letters."""
        ops = list(self.module.walk())
        arguments = sum(len(block.args) for op in ops for r in op.regions for block in r.blocks)
        return len(ops) + arguments, sum(map(_elements, ops)), len(self.text)

    @property
    def ops(self) -> int:
        """The number of ops, functions and the module included."""
        return sum(1 for _ in self.module.walk())


class Reducer:
    """A search for a smaller module that fails; `best` is the smallest so far.

    `keep` is called with each new best, `show` before each trial.
    """

    def __init__(
        self,
        module: ModuleOp,
        fails: Fails,
        limit: int,
        keep: Callable[[Best], None],
        show: Callable[[Progress], None],
    ) -> None:
        self.best = Best(module, text_of(module))
        self.trials = 0
        self._fails, self._limit = fails, limit
        self._keep, self._show = keep, show
        self._tried = {self.best.text}

    @property
    def is_out(self) -> bool:
        """Tell whether the trials are used up."""
        return self.trials >= self._limit

    def run(self) -> None:
        """Try all kinds of edits until none makes the module smaller."""
        settled: set[str] = set()
        while len(settled) < len(EDITS) and not self.is_out:
            for edit in EDITS:
                before = self.best.text
                if edit.name not in settled:
                    self._search(edit)
                settled = {*settled, edit.name} if before == self.best.text else set()

    def _search(self, edit: Edit) -> None:
        """Try a kind of edit on its sites."""
        count = len(edit.sites(self.best.module))
        if edit.search is Search.FIRST:
            self._first_site(edit, count)
            return
        chunk = count if edit.search is Search.CHUNKS else 1
        while chunk and not self.is_out:
            start = 0
            while start < len(edit.sites(self.best.module)) and not self.is_out:
                # After an edit other sites stand at this place.
                if not self._try(edit, range(start, start + chunk)):
                    start += chunk
            chunk //= 2

    def _first_site(self, edit: Edit, count: int) -> None:
        """Try a kind of edit on the first site that takes it, as if all behind that one did."""
        low, high = 0, count - 1
        while low < high and not self.is_out:
            middle = (low + high) // 2
            if self._try(edit, range(middle, middle + 1)):
                high = min(middle, len(edit.sites(self.best.module)) - 1)
                low = 0 if high < middle else low
            else:
                low = middle + 1

    def _try(self, edit: Edit, chosen: Sequence[int]) -> bool:
        """Try an edit on the sites of these numbers; tell whether it is the new best."""
        module = self.best.module.clone()
        sites = edit.sites(module)[chosen[0] : chosen[-1] + 1]
        try:
            edit.apply(module, sites)
            module.verify()
        except (NotPossible, VerifyException, HtpError):
            return False
        candidate = Best(module, text_of(module))
        if candidate.text in self._tried or candidate.size >= self.best.size:
            return False
        self._tried.add(candidate.text)
        self.trials += 1
        self._show(Progress(edit.name, self.trials, self.best.ops))
        if not self._fails(candidate.text):
            return False
        self.best = candidate
        self._keep(candidate)
        return True


def text_of(module: ModuleOp) -> str:
    """Print a module."""
    stream = StringIO()
    ModulePrinter(stream).print_op(module)
    return f"{stream.getvalue()}\n"


def _elements(op: Operation) -> int:
    count = 0
    for value in op.results:
        count += prod(value.type.get_shape()) if isinstance(value.type, TensorType) else 1
    return count
