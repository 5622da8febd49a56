"""Collection of .mlir files: one test each, its RUN lines run in this process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .run_lines import RunLineError, pipeline, run_lines
from .tools import TOOLS, Tool, run_pipeline


class PipelineError(Exception):
    """A RUN line whose commands did not end well."""


def run_file(path: Path, tools: dict[str, Tool] = TOOLS) -> None:
    """Run every RUN line of a file; RunLineError or PipelineError at the first that fails."""
    lines = run_lines(path.read_text(encoding="utf-8"))
    if not lines:
        raise RunLineError("the file has no RUN line")
    with TemporaryDirectory() as folder:
        for line in lines:
            outcome = run_pipeline(pipeline(line, path, Path(folder) / "t"), tools)
            if outcome.status:
                shown = f"RUN: {line}\nexit status {outcome.status}\n{outcome.err}{outcome.out}"
                raise PipelineError(shown)


class MlirFile(pytest.File):
    """A .mlir file; holds one item."""

    def collect(self) -> Iterable[pytest.Item]:
        yield MlirItem.from_parent(self, name="RUN")


class MlirItem(pytest.Item):
    """The RUN lines of one file."""

    def runtest(self) -> None:
        run_file(self.path)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        if isinstance(excinfo.value, (RunLineError, PipelineError)):
            return f"{self.path}: {excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.path.name
