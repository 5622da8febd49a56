"""The texts of a new plugin with passes or rules; `$name` and the like are filled in."""

from __future__ import annotations

PASS_MODULE = '''\
"""The passes of $name. After `pip install -e .` every tool has them."""

from htp_mlir.dialects.htp import ReluOp
from htp_mlir.lowering.plugins import plugin_universe, rewrite_pass
from xdsl.pattern_rewriter import PatternRewriter


$members

UNIVERSE = plugin_universe(passes=[$variables])
'''

PASS_MEMBER = '''\
@rewrite_pass("$member")
def $variable(op: ReluOp, rewriter: PatternRewriter) -> None:
    """Drop a Relu of a Relu. Keyword-only arguments would be the options."""
    if isinstance(op.operands[0].owner, ReluOp):
        rewriter.replace(op, (), [op.operands[0]])
'''

PASS_CHECK = """\
// RUN: htp-opt %s -p $member | filecheck %s

// CHECK-LABEL: func.func @main(
// CHECK:       htp.Relu
// CHECK-NOT:   htp.Relu

func.func @main(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %1 = htp.Relu(%0) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = htp.Relu(%1) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  func.return %3 : tensor<1x2x3x4xf32>
}
"""

PASS_NUMBERS = '''\
"""The numbers stay the same."""

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.testing import assert_same, random_module

import $module


@pytest.mark.parametrize("run", [$qualified])
@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_stay_the_same(run, seed):
    before = lower(random_module(seed, ops=["Relu", "ElementWiseAdd"]), level="native")
    after = before.clone()
    run(after)
    assert_same(before, after)
'''

RULE_MODULE = '''\
"""The rules of $name. After `pip install -e .` every lowering has them.

Ask one: htp rules explain MODEL -p htp-lower --rule NAME
"""

from htp_mlir.lowering.rules import EARLY, SAME_ENCODING, Op, rule, rules

$members
RULES = rules($variables)
'''

RULE_MEMBER = """\
# Pass group, match, constraint, replacement: a Neg of a Neg of X is X.
$variable = rule(
    EARLY,
    Op("Neg", Op("Neg", "X")),
    SAME_ENCODING("*", "X"),
    "X",
    name="$member",
)
"""

RULE_CHECK = """\
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

RULE_NUMBERS = '''\
"""Graphs that the rules apply to have the same numbers before and after."""

import pytest
from htp_mlir.lowering.rules.soundness import check_rule

import $module


@pytest.mark.parametrize("rule", list($module.RULES), ids=lambda rule: rule.name)
def test_the_numbers_stay_the_same(rule):
    report = check_rule(rule, cases=20)
    assert report.passed, report.counterexample
'''
