"""Graphs that overflow before a rule say nothing about it; all others are compared."""

from random import Random

import numpy as np
import pytest
from htp_mlir.lowering.rules import (
    AND,
    EARLY,
    IS_FLOAT16,
    IS_FLOAT32,
    SAME_SHAPE,
    Op,
    Rule,
    RuleSet,
    rule,
)
from htp_mlir.lowering.rules.soundness import Report
from htp_mlir.lowering.rules.soundness.run import Bench, Verdict, judge
from htp_mlir.lowering.rules.soundness.search import Searcher, SearchResult

HALF = AND(IS_FLOAT16("X"), IS_FLOAT16("*"))
LOG_OF_EXP = Op("Log", Op("Exp", "X"))
SAME = Op("Neg", Op("Neg", "X"))

LOST = rule(EARLY, LOG_OF_EXP, HALF, SAME)
"""It gives the number that is lost where exp(X) overflows before it."""
SINGLE = rule(EARLY, LOG_OF_EXP, AND(IS_FLOAT32("X"), IS_FLOAT32("*")), SAME)
MADE = rule(EARLY, SAME, HALF, LOG_OF_EXP)
"""It overflows where the graph before it does not."""
NOUGHT = rule(EARLY, Op("Sub", Op("Exp", "X"), Op("Exp", "X")), HALF, Op("Sub", "X", "X"))
QUOTIENT = rule(EARLY, Op("Div", "X", Op("Exp", "X")), HALF, Op("Div", "X", Op("Exp", SAME)))
FIRST = AND(HALF, IS_FLOAT16("Y"), SAME_SHAPE("X", "Y"))
FACTOR = rule(EARLY, Op("Mul", "X", "Y"), FIRST, SAME)
DIVISOR = rule(EARLY, Op("Div", "X", "Y"), FIRST, SAME)
"""These two hold where Y is 1."""


def verdict(checked: Rule, *values: float) -> Verdict:
    """The verdict on one graph of the match's ops alone, whose inputs are all these values."""
    rules, result = RuleSet((checked,)), SearchResult()
    Searcher(checked, rules).search(Random(0), 20, 2000, result)
    case = min(result.cases, key=lambda case: (len(case.ops), len(case.exposed)))
    for array, value in zip(case.data.values(), values, strict=True):
        array[...] = value
    return judge([case], Bench.of(rules, None))


@pytest.mark.parametrize("checked", [LOST, NOUGHT], ids=["an infinity", "NaN of two infinities"])
def test_a_graph_that_overflows_before_the_rule_says_nothing(checked: Rule) -> None:
    small, large = verdict(checked, 2.0), verdict(checked, 12.0)
    assert (len(small.good), small.overflowed, small.failures) == (1, 0, [])
    assert (len(large.good), large.overflowed, large.failures) == (0, 1, [])


def test_finite_outputs_that_stay_the_same_are_a_case() -> None:
    after = verdict(QUOTIENT, 12.0)
    assert (len(after.good), after.overflowed) == (1, 0)


@pytest.mark.parametrize(
    ("checked", "value", "reason"),
    [
        pytest.param(MADE, 12.0, "12 before, inf after", id="the rule overflows"),
        pytest.param(LOST, -30.0, "-inf before, -30 after", id="the graph underflows"),
        pytest.param(SINGLE, 100.0, "inf before, 100 after", id="nothing is wider than Float32"),
        pytest.param(NOUGHT, -np.inf, "0 before, nan after", id="the rule loses a number"),
    ],
)
def test_what_is_no_overflow_is_compared(checked: Rule, value: float, reason: str) -> None:
    after = verdict(checked, value)
    assert (after.good, after.overflowed) == ([], 0)
    assert reason in after.failures[0].reason


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_rule_that_loses_what_the_inputs_have_is_caught(value: float) -> None:
    assert len(verdict(FACTOR, 2.0, 1.0).good) == 1
    after = verdict(FACTOR, 2.0, value)
    assert (after.good, after.overflowed) == ([], 0)
    assert f"{value} before, 2 after" in after.failures[0].reason


def test_a_division_by_0_is_compared() -> None:
    after = verdict(DIVISOR, 2.0, 0.0)
    assert (after.good, after.overflowed) == ([], 0)
    assert "inf before, 2 after" in after.failures[0].reason


def test_a_report_counts_them_apart() -> None:
    some, all_of_them = Report(LOST, 2, 9, overflowed=3), Report(LOST, 0, 9, overflowed=3)
    assert str(some).endswith("2 cases of 9 graphs (3 more overflow before the rule), sound")
    assert not all_of_them.passed
    assert "overflows before the rule" in all_of_them.passed_over
