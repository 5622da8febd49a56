"""A folder with the IR after each pass, one file for each."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import fail
from ....runtime.files.atomic import write_bytes
from ....runtime.passes.instrument import Instrument
from .selection import Selection


class Dumping(Instrument):
    """Writes `02.04-htp-fold.mlir`: the module behind the fourth pass inside the second.

    `00-input.mlir` is the module before all passes. HtpError where the folder holds anything.
    """

    def __init__(self, folder: Path, selection: Selection) -> None:
        self._folder = folder
        self._selection = selection
        self._numbers = [0]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_empty = not any(folder.iterdir())
        except OSError as error:
            raise fail(str(folder), error.strerror or str(error), "name a new folder") from error
        if not is_empty:
            raise fail(str(folder), "is not empty", "name a new folder, or clear this one")

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if self._numbers == [0]:
            self._write("00-input", module)
        self._numbers[-1] += 1
        self._numbers.append(0)

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._numbers.pop()
        if self._selection.has(step):
            number = ".".join(f"{each:02}" for each in self._numbers)
            self._write(f"{number}-{step.name}", module)

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._numbers.pop()

    def _write(self, name: str, module: ModuleOp) -> None:
        write_bytes(self._folder / f"{name}.mlir", self._selection.text(module).encode())
