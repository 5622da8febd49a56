"""The example of the page on block ops runs, and prints what the page says."""

from __future__ import annotations

import re
import runpy

import pytest

from tests.docs.code_blocks import blocks
from tests.support.paths import EXAMPLES, ROOT

PAGE = ROOT / "docs" / "block_ops.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_example_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = blocks(PAGE.read_text(encoding="utf-8"))
    (stated,) = (block.text for block in page if "replaced" in block.text)
    runpy.run_path(str(EXAMPLES / "block_ops" / "tagger.py"))
    expected = re.escape(stated).replace(r"\.\.\.", ".*")
    assert re.fullmatch(expected, capsys.readouterr().out)
