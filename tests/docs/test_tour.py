"""The notebook of the tour runs as a script."""

import subprocess
import sys

import pytest

from ..support.paths import ROOT


@pytest.mark.slow
@pytest.mark.needs("marimo")
def test_the_notebook_runs_as_a_script() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "docs" / "tour.py"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
