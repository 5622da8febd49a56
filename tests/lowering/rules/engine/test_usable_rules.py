"""Rules whose ops a function does not have: they cost nothing, and may become usable later."""

from htp_mlir.lowering.rules import EARLY, LET, OK, Op, OpAnyOrder, rule
from htp_mlir.lowering.rules.definition.rule import Group, Rule

from ..kit import apply, becomes, chain, formula


def _of_two() -> Rule:
    return rule(EARLY, Op("Neg", LET("A", Op("Abs", "X"))), OK, Op("Relu", "X"))


def test_a_rule_needs_the_ops_of_its_match_but_no_constants() -> None:
    both = rule(EARLY, OpAnyOrder("Add", Op("Neg", "X"), Op("$Const")), OK, "X")
    assert both.needs == {"htp.Add", "htp.Neg"}


def test_patterns_are_not_made_of_rules_that_need_an_absent_op() -> None:
    absent = _of_two()
    module = chain("Neg")
    apply(module, absent, becomes("Neg", "Tanh"))
    assert formula(module) == "Tanh(x0)"
    assert "pattern" not in vars(absent)


def test_a_rule_becomes_usable_when_another_makes_the_op_that_it_needs() -> None:
    module = chain("Exp", "Neg")
    apply(module, becomes("Exp", "Abs"), _of_two())
    assert formula(module) == "Relu(x0)"


def test_an_index_is_made_once_for_the_same_rules() -> None:
    group = Group((becomes("Neg", "Abs"), becomes("Abs", "Relu")))
    assert group.index(frozenset({1})) is group.index(frozenset({1}))
    assert group.index(frozenset({0})) is not group.index(frozenset({1}))
