"""Every rule of the project keeps the numbers on 50 graphs made for it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.rules import Rule
from htp_mlir.lowering.rules.soundness import check_rule

CASES = 50
RULES = Packages().rules


@pytest.fixture(scope="module", autouse=True)
def few_old_objects() -> Iterator[None]:
    """The collector does not look at what the suite holds: it is a fifth of the time here."""
    gc.freeze()
    yield
    gc.unfreeze()


def table(rule: Rule) -> str:
    """The name of the module that a rule is written in."""
    return Path(rule.where).name.partition(".")[0]


@pytest.mark.one_per("table")
@pytest.mark.parametrize(
    ("table", "rule"), [pytest.param(table(rule), rule, id=rule.label) for rule in RULES.rules]
)
def test_rule_is_sound(table: str, rule: Rule) -> None:
    report = check_rule(rule, cases=CASES, rule_set=RULES)
    assert report.passed, str(report)
    assert report.cases >= CASES, str(report)
