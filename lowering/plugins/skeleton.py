"""The skeleton of a new plugin with passes or rules, whose tests hold unchanged.

`$name` and the like are filled into its texts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from string import Template

from ...dialects.diagnostics import fail
from .function import check_name

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


PYPROJECT = """\
[build-system]
requires = ["setuptools>=69"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1"
dependencies = ["htp-mlir"]

[project.entry-points."$group"]
$name = "$module:$value"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
htp_mlir = true
testpaths = ["tests"]
"""


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


@dataclass(frozen=True)
class MemberKind:
    """One sort of member that a plugin can bring, and the texts of such a plugin.

    `spelling` makes the name of a member's variable, `group` and `value` are the entry point;
    `member` is the text of one member, between two of which `between` stands.
    """

    word: str
    spelling: Callable[[str], str]
    group: str
    value: str
    module: str
    member: str
    between: str
    check: str
    numbers: str


PASSES = MemberKind(
    "pass",
    str.lower,
    "xdsl.universe",
    "UNIVERSE",
    PASS_MODULE,
    PASS_MEMBER,
    "\n\n",
    PASS_CHECK,
    PASS_NUMBERS,
)
RULES = MemberKind(
    "rule",
    str.upper,
    "htp_mlir.rules",
    "RULES",
    RULE_MODULE,
    RULE_MEMBER,
    "",
    RULE_CHECK,
    RULE_NUMBERS,
)


def plugin_skeleton(kind: MemberKind, name: str, members: Sequence[str]) -> dict[str, str]:
    """Return the files of a new distribution by their names; HtpError for a name that is none."""
    module = name.replace("-", "_").lower()
    if not _NAME.fullmatch(name) or iskeyword(module):
        raise fail(f"plugin '{name}'", "this is no name", "write words like my-passes")
    for each in members:
        check_name(each, kind.word)
        if members.count(each) > 1:
            raise fail(f"{kind.word} '{each}'", "is given twice", "name it once")
    variables = {each: _variable(each, kind.spelling) for each in members}
    words = {
        "name": name,
        "module": module,
        "group": kind.group,
        "value": kind.value,
        "members": kind.between.join(
            Template(kind.member).substitute(member=each, variable=variable)
            for each, variable in variables.items()
        ),
        "variables": ", ".join(variables.values()),
        "qualified": ", ".join(f"{module}.{variable}" for variable in variables.values()),
    }
    files = {
        "pyproject.toml": PYPROJECT,
        f"{module}.py": kind.module,
        f"tests/test_{module}.py": kind.numbers,
    }
    filled = {file: Template(text).substitute(words) for file, text in files.items()}
    checks = {
        f"tests/{variable.lower()}.mlir": Template(kind.check).substitute(member=each)
        for each, variable in variables.items()
    }
    return filled | checks


def _variable(member: str, spelling: Callable[[str], str]) -> str:
    """Return the name of a member as that of a variable."""
    variable = spelling(member.replace("-", "_"))
    return f"{variable}_" if iskeyword(variable) else variable
