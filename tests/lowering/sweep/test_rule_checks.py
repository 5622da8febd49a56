"""Checks of rules in a sweep: sound, unsound, passed over, unknown."""

from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.sweep import Row, Status, rule_checks
from htp_mlir.lowering.sweep.plot import plot
from htp_mlir.lowering.sweep.run import outcome_of

PACKAGE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, FROM_DEFAULT_PACKAGE, OK, Op, rule, rules

RELU, NEG = FROM_DEFAULT_PACKAGE("Relu"), FROM_DEFAULT_PACKAGE("Neg")
PACKAGE = op_package(
    "Mine",
    rules=rules(
        rule(EARLY, Op(RELU, Op(RELU, "X")), OK, Op(RELU, "X")),
        rule(EARLY, Op(RELU, Op(NEG, "X")), OK, "X"),
    ),
)
"""


@pytest.fixture
def rows(inside: Path) -> list[Row]:
    (inside / "mine.py").write_text(PACKAGE)
    mine = [rule for rule in load_packages("mine.py").rules if "mine.py" in rule.place]
    checks = rule_checks(mine, cases=3, packages=["mine.py"])
    return [Row(check, outcome_of(check)) for check in checks]


def test_an_unsound_rule_is_a_fault(rows: list[Row]) -> None:
    sound, unsound = (row.outcome for row in rows)
    assert (sound.status, sound.figures["sound_cases"]) == (Status.OK, 3)
    assert unsound.status is Status.FAULT
    assert ": not sound: output" in unsound.problem


def test_the_plot_marks_the_rule_that_fails(rows: list[Row]) -> None:
    drawn = plot(rows)
    assert drawn.count("<rect class='bar'") == 1
    assert drawn.count("<rect class='bar fault'") == 1


def test_a_rule_that_is_not_here_is_told(rows: list[Row]) -> None:
    outcome = outcome_of(replace(rows[0].case, definition="rule()"))
    assert "is no rule of the packages here" in outcome.problem
