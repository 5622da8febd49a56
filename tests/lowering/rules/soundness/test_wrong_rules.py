"""Rules that are not sound are caught, and shown on a small graph that runs."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering.rules import EARLY, OK, Op, rule
from htp_mlir.lowering.rules.soundness import Counterexample, check_rule
from htp_mlir.runtime import Session, parse_module

from .wrong_rules import WRONG

INVALID = {"lost stride", "a bias of any height"}
"""What these give is no valid graph; the others give another number."""


def run(text: str, shown: Counterexample) -> list[dict[str, Array]]:
    session = Session(parse_module(text))
    steps = range(shown.inferences)
    many = shown.inferences > 1
    feeds = [{name: a[step] if many else a for name, a in shown.feeds.items()} for step in steps]
    return [{k: np.asarray(v) for k, v in session.run(feed).items()} for feed in feeds]


@pytest.mark.one_per
@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_rule_is_caught(fault: str) -> None:
    report = check_rule(WRONG[fault], cases=30)
    assert not report.passed
    shown = report.counterexample
    assert shown is not None
    before = run(shown.before, shown)
    assert (shown.after is None) == (fault in INVALID)
    if shown.after is None:
        assert "the replacement is not valid" in shown.reason
        return
    after = run(shown.after, shown)
    differs = [(b[name] != a[name]).any() for b, a in zip(before, after, strict=True) for name in b]
    assert any(differs)


def test_the_counterexample_is_small() -> None:
    shown = check_rule(WRONG["swapped operands"]).counterexample
    assert shown is not None
    assert not shown.feeds
    assert shown.before.count("tensor<1x1x1x1xf32>") == shown.before.count("tensor<")
    assert "1 of 1 elements" in shown.reason


@pytest.mark.slow
def test_a_counterexample_prints_as_ir() -> None:
    shown = check_rule(WRONG["lost reset"]).counterexample
    assert shown is not None
    before, after = str(shown).split("// -----")
    assert "htp.StateRead" in before
    parse_module(before)
    parse_module(after)
    assert "at inference" in shown.reason
    assert "// input" in before


@pytest.mark.slow
def test_the_same_seed_finds_the_same() -> None:
    wrong = WRONG["lost bias"]
    assert str(check_rule(wrong, seed=3)) == str(check_rule(wrong, seed=3))


def test_a_sound_rule_beside_them_passes() -> None:
    right = rule(EARLY, Op("ElementWiseSubtract", "A", "B"), OK, Op("Sub", "A", "B"))
    report = check_rule(right, cases=30)
    assert report.passed, report
    assert report.cases == 30
