"""Tests of how messages spell paths."""

from pathlib import Path

import pytest
from htp_mlir.dialects.locations import shown_path


def test_a_path_below_the_current_folder_is_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_path(Path.cwd() / "rules" / "own.py") == "rules/own.py"


@pytest.mark.parametrize("path", ["/elsewhere/own.py", "own.py", "<string>"])
def test_another_path_stays_as_it_is(path: str) -> None:
    assert shown_path(path) == path


def test_a_folder_whose_name_begins_alike_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    beside = f"{Path.cwd()}2/own.py"
    assert shown_path(beside) == beside
