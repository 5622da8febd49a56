"""Conditions of files: formulas of features."""

import sys

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.testing.runner import Conditions, conditions, platform_features

FEATURES = frozenset(["a", "b", "c-1"])
TRUE = ("a", "a && b", "x || b", "!x", "!(a && x)", "(x || a) && !x", "c-1", "*", "x || a && b")
FALSE = ("x", "a && x", "x || y", "!a", "!(a || x)", "c", "!x && !a")


@pytest.mark.parametrize("formula", TRUE)
def test_a_true_formula(formula: str) -> None:
    assert conditions(f"// REQUIRES: {formula}\n", FEATURES) == Conditions()
    assert conditions(f"// UNSUPPORTED: {formula}\n", FEATURES).unsupported == (formula,)
    assert conditions(f"# XFAIL: {formula}\n", FEATURES).must_fail


@pytest.mark.parametrize("formula", FALSE)
def test_a_false_formula(formula: str) -> None:
    assert conditions(f"// REQUIRES: {formula}\n", FEATURES).missing == (formula,)
    assert conditions(f"// UNSUPPORTED: {formula}\n// XFAIL: {formula}\n", FEATURES) == Conditions()


def test_commas_divide_conditions() -> None:
    assert conditions("// REQUIRES: a, x, y\n", FEATURES).missing == ("x", "y")
    assert conditions("// UNSUPPORTED: x, b\n", FEATURES).unsupported == ("b",)


@pytest.mark.parametrize("formula", ["", "a b", "a &&", "(a", "a)", "a & b", "&& a", "a,"])
def test_a_malformed_formula_is_refused(formula: str) -> None:
    with pytest.raises(HtpError, match=r"line 2: '.*' is no condition") as refused:
        conditions(f"\n// REQUIRES: {formula}\n", FEATURES)
    assert len(str(refused.value).splitlines()) == 2


def test_the_operating_system_is_a_feature() -> None:
    assert platform_features() == {f"system-{sys.platform}"}
