"""Pipelines that a file holds, as editors of any system write it."""

from pathlib import Path

import pytest
from htp_mlir.runtime.tools.pipeline import passes_of


@pytest.mark.parametrize("text", ["\ufeffcse,\r\ndce{}\r\n", "cse, // first\n dce"])
def test_a_mark_of_the_byte_order_and_any_line_ends(text: str, tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_bytes(text.encode())
    assert [step.name for step in passes_of(f"@{tmp_path / 'a b.txt'}")] == ["cse", "dce"]
