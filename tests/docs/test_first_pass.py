"""The tutorial on passes, in an environment of its own: what it installs is really installed."""

from pathlib import Path

import pytest

from ..support.environments import beside, run
from ..support.paths import ROOT
from .installed_page import PROGRAMS

PAGE = ROOT / "docs" / "passes" / "first_pass.md"


@pytest.mark.slow
def test_blocks_do_what_the_page_says(tmp_path: Path) -> None:
    binaries = beside(tmp_path / "environment", PROGRAMS)
    folder = tmp_path / "folder"
    folder.mkdir()
    run(binaries / "python", "-m", "tests.docs.installed_page", PAGE, folder, folder=ROOT)
