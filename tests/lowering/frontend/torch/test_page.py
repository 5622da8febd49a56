"""The Python of the page on block ops that needs PyTorch runs, and prints what the page says."""

from __future__ import annotations

import re

import pytest

from tests.docs.code_blocks import blocks
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "block_ops.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = blocks(PAGE.read_text(encoding="utf-8"))
    (block,) = (block for block in page if block.text.startswith("# file: tagger.py"))
    exec(compile(block.text, str(PAGE), "exec"), {"__name__": "page"})
    assert block.expected is not None
    expected = re.escape(block.expected).replace(r"\.\.\.", ".*")
    assert re.fullmatch(expected, capsys.readouterr().out)
