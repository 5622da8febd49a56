"""The texts of a new plugin with rules; `$name` and the like are filled in."""

from __future__ import annotations

MODULE = '''\
"""The rules of $name. After `pip install -e .` every lowering has them.

Ask one: htp rules explain MODEL -p htp-lower --rule NAME
"""

from htp_mlir.lowering.rules import EARLY, SAME_ENCODING, Op, rule, rules

$members
RULES = rules($variables)
'''

MEMBER = """\
# Pass group, match, constraint, replacement: a Neg of a Neg of X is X.
$variable = rule(
    EARLY,
    Op("Neg", Op("Neg", "X")),
    SAME_ENCODING("*", "X"),
    "X",
    name="$member",
)
"""

CHECK = """\
// RUN: htp-opt %s -p htp-rules,dce | filecheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NOT:   htp.Neg
// CHECK:       return

func.func @main(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %1 = htp.Neg(%0) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = htp.Neg(%1) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  func.return %3 : tensor<1x2x3x4xf32>
}
"""

NUMBERS = '''\
"""Graphs that the rules apply to have the same numbers before and after."""

import pytest
from htp_mlir.lowering.rules.soundness import check_rule

import $module


@pytest.mark.parametrize("rule", list($module.RULES), ids=lambda rule: rule.name)
def test_the_numbers_stay_the_same(rule):
    report = check_rule(rule, cases=20)
    assert report.passed, report.counterexample
'''
