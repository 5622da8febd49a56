"""The pages on PyTorch: what the example prints, and how long the tutorial is."""

import re
import runpy

import pytest

from tests.docs.code_blocks import blocks
from tests.support.paths import EXAMPLES, ROOT

pytestmark = pytest.mark.needs("torch")

PAGE = ROOT / "docs" / "block_ops.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_example_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = blocks(PAGE.read_text(encoding="utf-8"))
    (stated,) = (block.text for block in page if "replaced" in block.text)
    runpy.run_path(str(EXAMPLES / "block_ops" / "tagger.py"))
    expected = re.escape(stated).replace(r"\.\.\.", ".*")
    assert re.fullmatch(expected, capsys.readouterr().out)


def test_the_tutorial_has_less_than_40_lines_and_carries_a_state() -> None:
    page = (ROOT / "docs" / "from_gru_to_htp.md").read_text(encoding="utf-8")
    code = [line for block in blocks(page) for line in block.text.splitlines() if line.strip()]
    assert len(code) < 40
    (last,) = (line for line in code if "--load-state" in line)
    assert last.startswith("htp-run ")
