"""Every native op has a schema: graphs are found for a rule that puts the op in its own place."""

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.rules import EARLY, OK, Op, OpMultiOut, rule
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.lowering.rules.soundness.schemas import stated

from ....support.paths import EXAMPLES

PLACED = {name for name, op in NATIVE_OPS.items() if issubclass(op, CopyOp)}
"""Conversions and copies: at the native level, where nothing has a place, no kernel runs them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NATIVE_OPS.keys() - PLACED))
def test_graphs_are_found(name: str) -> None:
    op = NATIVE_OPS[name]
    inputs = [operand.removesuffix("...") for operand in op.OPERANDS]
    same = Op(name, *inputs) if op.RESULTS == 1 else OpMultiOut(op.RESULTS, 0, name, *inputs)
    report = check_rule(rule(EARLY, Op(name, *inputs), OK, same), cases=8)
    assert report.passed, report
    assert report.cases == 8
    assert report.attempts < 100, report


@pytest.mark.parametrize("name", sorted(NATIVE_OPS))
def test_no_op_is_guessed(name: str) -> None:
    needed = f"{name} needs an access map, or an example that shows each operand"
    assert stated(NATIVE_OPS[name]), needed


@pytest.mark.slow
def test_why_no_graph_was_a_case_is_said() -> None:
    named = rule(EARLY, Op("Decimate", "X"), OK, Op("Decimate.tcm", "X"))
    report = check_rule(named, cases=3)
    assert not report.passed
    assert "not checked: no package has htp.Decimate.tcm" in str(report)


def test_ops_of_a_package_are_guessed_by_their_operands() -> None:
    packages = load_packages(EXAMPLES / "max_pool_package/package.py")
    (tiled,) = (rule for rule in packages.rules if rule.name == "tile over depth")
    report = check_rule(tiled, cases=10, rule_set=packages.rules, library=packages.library)
    assert report.passed, report
