"""The test of a `.mlir` file: its conditions, its RUN lines, and the message where it fails."""

import re
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ...dialects.diagnostics import HtpError
from .runner import PipelineError, conditions, read_text, run_file
from .settings import SETTINGS

_INPUT = re.compile(r"  [> ] +\d+ \| ")
"""The beginning of a line of filecheck's input in a message."""


class MlirFile(pytest.File):
    """A .mlir file; holds one item."""

    def collect(self) -> Iterable[pytest.Item]:
        """Yield the one item, `RUN`."""
        yield MlirItem.from_parent(self, name="RUN")


class MlirItem(pytest.Item):
    """The RUN lines of one file."""

    def runtest(self) -> None:
        """Run the lines in a folder of their own; update the file first where that is asked."""
        settings = self.config.stash[SETTINGS]
        stated = conditions(read_text(self.path), settings.suite.features)
        if stated.skip_reason:
            # The file's own REQUIRES or UNSUPPORTED, which the reason quotes.
            pytest.skip(stated.skip_reason)
        with TemporaryDirectory() as folder, chdir(folder):
            if settings.update and not stated.must_fail:
                from .runner import update_file

                if update_file(self.path, settings.suite, Path(folder)):
                    self.add_report_section("call", "checks", "new CHECK lines were written")
            try:
                run_file(self.path, settings.suite)
            except PipelineError as error:
                if stated.must_fail:
                    # The author of the file expects that; a file that passes is an error below.
                    pytest.xfail(reason=f"XFAIL in the file: {str(error).splitlines()[0]}")
                raise
        if stated.must_fail:
            raise PipelineError("passes, and XFAIL says that it fails\n  take XFAIL out\n")

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Write the message of a failure with the file in front, and that of a fault unchanged."""
        if isinstance(excinfo.value, (HtpError, PipelineError)):
            place = f"{self.config.invocation_params.dir}/"
            message = f"{self.path}: {excinfo.value}"
            if isinstance(excinfo.value, PipelineError):
                message += f"or this test with\n  pytest '{self.nodeid}'"
            # The excerpt of an input stands unchanged.
            lines = (
                line if _INPUT.match(line) else line.replace(place, "")
                for line in message.split("\n")
            )
            return "\n".join(lines)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the test is and what it is called."""
        return self.path, 0, self.path.name
