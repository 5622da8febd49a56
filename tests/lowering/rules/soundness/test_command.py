"""`htp rules check`."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp

PACKAGE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, OK, Op, rule

PACKAGE = op_package(
    "Mine",
    rules=[
        rule(EARLY, Op("q::Add", "A", "B"), OK, Op("q::Add", "B", "A"), name="turned"),
        rule(EARLY, Op("q::Sub", "A", "B"), OK, Op("q::Sub", "B", "A"), name="swapped"),
        rule(EARLY, Op("q::Concat", "A"), OK, "A", name="of nothing"),
    ],
)
"""


def check(tmp_path: Path, *arguments: str) -> tuple[int, str, str]:
    package = tmp_path / "mine.py"
    package.write_text(PACKAGE)
    return htp.run(["rules", "check", "--package", str(package), "--cases", "10", *arguments])


def test_a_sound_rule(tmp_path: Path) -> None:
    status, out, err = check(tmp_path, "--rule", "turned")
    assert (status, err) == (0, "")
    assert "turned (" in out
    assert "10 cases of " in out
    assert out.endswith("1 rule of Mine is sound on 10 graphs\n")


@pytest.mark.slow
def test_rules_that_are_not(tmp_path: Path) -> None:
    status, out, err = check(tmp_path, "--rule", "swapped", "--rule", "of nothing")
    assert status == 1
    assert "not sound\n// output 'y0'" in out
    assert "htp.Sub" in out
    assert "0 cases of 600 graphs, not checked" in out
    assert "1 of 2 rules of Mine is not sound" in err


def test_another_seed_makes_other_graphs(tmp_path: Path) -> None:
    first, second = (check(tmp_path, "--rule", "swapped", "--seed", seed)[1] for seed in "01")
    again = check(tmp_path, "--rule", "swapped", "--seed", "0")[1]
    assert first == again
    assert first != second


def test_a_rule_that_nobody_has(tmp_path: Path) -> None:
    status, _, err = check(tmp_path, "--rule", "nobody")
    assert status == 1
    assert "--rule 'nobody': no rule of Mine is called that" in err
