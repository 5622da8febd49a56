"""What the lint says of rules that it cannot judge, and of ops with free results."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import Packages, from_cpp, load_cpp, load_packages
from htp_mlir.lowering.rules import (
    AND,
    DIM_DEPTH,
    DIM_HEIGHT,
    EARLY,
    EQ,
    LET,
    LT,
    OK,
    OR,
    PRE_TRANSLATE,
    Op,
    OpAnyOutput,
    Rule,
    rule,
    rules,
)
from htp_mlir.lowering.rules.graph.graph import GRAPH
from htp_mlir.lowering.rules.lint import Linted, lint, lint_each

from tests.support.paths import EXAMPLES


def linted(member: Rule) -> Linted:
    (only,) = lint_each(rules(member), rules(member).rules)
    return only


def test_a_constraint_of_too_many_branches() -> None:
    either = [OR(EQ(DIM_DEPTH("X"), n), EQ(DIM_HEIGHT("X"), n)) for n in range(1, 8)]
    seven = rule(EARLY, Op("Neg", "X"), AND(*either), Op("Abs", "X"))
    assert linted(seven).passed_over[0].startswith("its constraint has more than 64 branches")
    six = rule(EARLY, Op("Neg", "X"), AND(*either[:6]), Op("Abs", "X"))
    assert not any("branches" in why for why in linted(six).passed_over)


def test_a_rule_that_no_graph_suits() -> None:
    nowhere = rule(EARLY, Op("Concat", "A"), OK, "A")
    assert [why.partition(",")[0] for why in linted(nowhere).passed_over] == [
        "no graph was found for it"
    ]
    assert not linted(
        rule(EARLY, Op("Neg", "X"), LT(DIM_DEPTH("X"), 9), Op("Abs", "X"))
    ).passed_over


def test_a_graph_op_of_two_results() -> None:
    either = LET("Y", OpAnyOutput("TopK", "X", "K", "Largest"))
    match, built = Op("ElementWiseNeg", either), Op("ElementWiseNeg", "Y")
    in_graph = rules(rule(PRE_TRANSLATE, match, OK, built), package=GRAPH)
    (only,) = lint_each(in_graph, in_graph.rules)
    assert not only.passed_over


@pytest.mark.one_per
@pytest.mark.parametrize("size", ["TYPICAL_SLICE", "never"])
def test_ops_with_free_results(size: str, tmp_path: Path) -> None:
    """Graphs that such an op never has may be drawn; one that suits the replacement is enough."""
    built = 'AUTOSPLIT(3, "I", 8, Op("Scale", TYPICAL_SLICE("X", "I")))'
    if size == "never":
        built = 'WITH_SIZE(gen_Shape(9, 9, 9, 9), Op("Scale", "X"))'
    path = tmp_path / "own.cpp"
    path.write_text(
        '#define THIS_PKG_NAME Own\nDEF_PACKAGE_OP(scale<Tensor>, "Scale")\n'
        f'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Scale", "X"), GT(DIM_DEPTH("*"), 8), {built})\n'
    )
    package = from_cpp(load_cpp(path)[0])
    findings = lint(Packages().extended(package).rules, package.rules.rules)
    assert ["wrong-result" in str(finding) for finding in findings] == [True] * (size == "never")
    assert "declare the op" not in " ".join(map(str, findings))


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/package.*")), ids=lambda p: str(p)[-22:])
def test_examples_are_clean(path: Path) -> None:
    packages = load_packages(path)
    assert lint(packages.rules, packages.members[-1].rules.rules) == []
