"""Tests of the place of a rule: its file is relative below the folder of the moment."""

from pathlib import Path

import pytest
from htp_mlir.lowering.rules import EARLY, OK, Op, rule

HERE = Path(__file__)
NEG = rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")


@pytest.mark.parametrize("levels", [1, 2])
def test_a_place_is_relative_below_the_current_folder(
    levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = HERE.parents[levels - 1]
    monkeypatch.chdir(folder)
    assert NEG.where == f"{HERE.relative_to(folder)}:9"


def test_a_place_is_absolute_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert NEG.where == f"{HERE}:9"


def test_a_rule_is_called_by_each_form_of_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (HERE.parent, tmp_path):
        monkeypatch.chdir(folder)
        for place in (f"{HERE}:9", "test_places.py:9", "definition/test_places.py:9"):
            assert NEG.is_called(place)
    assert not NEG.is_called("places.py:9")
