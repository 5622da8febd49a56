"""Matches with alternatives: `ONE_OF` and `BOUND`."""

from random import Random

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.def_package.package import CppPackage
from htp_mlir.lowering.packages.def_package.writer import write_cpp
from htp_mlir.lowering.rules import (
    AND,
    BOUND,
    CONSTVAL_IS,
    EARLY,
    EQ,
    IS_FLOAT32,
    LET,
    NOT,
    OK,
    ONE_OF,
    OPCONST,
    RANK_OF,
    SELECT,
    Op,
    OpAnyOrder,
    Rule,
    explain,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.ask.near_miss import match_reason
from htp_mlir.lowering.rules.ask.places import Names
from htp_mlir.lowering.rules.definition.pattern import Match, matches, op_pattern
from htp_mlir.lowering.rules.lint import lint
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.lowering.rules.tree.expr import Expr, OpForm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tests.support.native_graph import NativeGraph

from .test_any_order import any_form, any_tree

ABS_OR_NEG = Op("Relu", ONE_OF(Op("Abs", "X"), Op("Neg", "Y")))
BIASED = Op("Relu", LET("Sum", ONE_OF(OpAnyOrder("Add", "X", OPCONST("B")), "X")))


def relu(inner: str) -> ModuleOp:
    """A Relu of another op."""
    graph = NativeGraph()
    return graph.module(graph.op("Relu", graph.op(inner, graph.input(1, 2, 3, 4))))


@pytest.mark.parametrize(("inner", "fires"), [("Abs", 1), ("Neg", 1), ("Sqrt", 0)])
def test_one_of_the_alternatives_matches(inner: str, fires: int) -> None:
    out = SELECT(BOUND("X"), "X", "Y")
    module = relu(inner)
    assert run_rules(module, rules(rule(EARLY, ABS_OR_NEG, OK, out))).firings == fires
    assert (f"htp.{inner}" in str(module)) is not bool(fires)


def test_the_next_alternative_is_tried_where_the_constraint_fails() -> None:
    graph = NativeGraph()
    total = graph.op("Add", graph.input(1, 1, 1, 4), graph.scalar(2.0))
    module = graph.module(graph.op("Relu", total))
    asked = SELECT(BOUND("B"), CONSTVAL_IS("B", 1.0), OK)
    out = SELECT(BOUND("B"), Op("Neg", "X"), Op("Abs", "X"))
    (count,) = run_rules(module, rules(rule(EARLY, BIASED, asked, out))).counts
    assert (count.matches, count.firings) == (1, 1)
    assert "htp.Abs" in str(module)


def test_a_tag_of_an_alternative_has_to_be_asked_for() -> None:
    with pytest.raises(HtpError, match=r'unknown tag "Y".*, with the alternatives of .*"Abs"'):
        rule(EARLY, ABS_OR_NEG, OK, Op("Neg", "Y"))
    rule(EARLY, ABS_OR_NEG, BOUND("Y"), SELECT(BOUND("Y"), Op("Neg", "Y"), "X"))


@pytest.mark.parametrize(
    ("match", "constraint", "reason"),
    [
        (Op("Neg", "X"), BOUND("Z"), 'BOUND asks for "Z", which the match never binds'),
        (Op("Neg", ONE_OF(LET("X", Op("Abs", "X")), "X")), OK, 'the LET of "X" holds its own tag'),
        (Op("Neg", ONE_OF(OK, "X")), OK, "true stands in the match"),
        (ABS_OR_NEG, AND(BOUND("X"), BOUND("Y")), "excludes every choice of alternatives"),
        (ONE_OF(Op("Neg", "X"), Op("Abs", "X")), OK, r"its root must be an Op\(\)"),
    ],
)
def test_faults_of_alternatives(match: Expr, constraint: Expr, reason: str) -> None:
    with pytest.raises(HtpError, match=reason):
        rule(EARLY, match, constraint, "X")


def test_a_choice_of_nothing_is_refused() -> None:
    with pytest.raises(HtpError, match="no alternative"):
        ONE_OF()


def test_alternatives_match_and_build_nothing() -> None:
    with pytest.raises(HtpError, match="stands outside the match"):
        rule(EARLY, Op("Neg", "X"), OK, Op("Abs", ONE_OF("X", Op("Neg", "X"))))


def test_a_rule_is_written_out_with_each_choice() -> None:
    asked = AND(EQ(RANK_OF("Sum"), 4), SELECT(BOUND("B"), CONSTVAL_IS("B", 1.0), OK))
    first, second = rule(EARLY, BIASED, asked, "Sum").written_out
    assert first.match == Op("Relu", LET("Sum", OpAnyOrder("Add", "X", OPCONST("B"))))
    assert first.constraint == AND(EQ(RANK_OF("Sum"), 4), CONSTVAL_IS("B", 1.0))
    assert str(second.match) == 'Op("Relu", "X")'
    assert str(second.constraint) == 'AND(EQ(RANK_OF("X"), 4))'
    assert str(second.replacement) == '"X"'


def test_a_choice_that_the_constraint_excludes_is_left_out() -> None:
    (only,) = rule(EARLY, BIASED, AND(EQ(RANK_OF("X"), 4), NOT(BOUND("B"))), "Sum").written_out
    assert str(only.match) == 'Op("Relu", "X")'


def test_a_rule_without_alternatives_is_itself() -> None:
    own = rule(EARLY, Op("Neg", "X"), OK, "X")
    assert own.written_out == (own,)


def _covered(match: Match) -> list[Operation]:
    return list(match.pattern.ops(match.root, match.orders))


def _with_choices(form: Expr, other: Expr, random: Random) -> Expr:
    """A match in which some inputs have alternatives: parts of another match."""
    if not isinstance(form, OpForm):
        return form
    inputs = [_with_choices(each, other, random) for each in form.inputs]
    parts = other.inputs if isinstance(other, OpForm) else (other,)
    chosen = [
        ONE_OF(*random.sample([each, random.choice(parts)], 2)) if random.random() < 0.4 else each
        for each in inputs
    ]
    return form.with_parts(tuple(chosen))


@pytest.mark.slow
def test_a_match_finds_what_each_choice_written_out_finds_in_order() -> None:
    random, matched, missed = Random(0), 0, 0
    for _ in range(300):
        graph = NativeGraph()
        leaves = [graph.input(1, 1, 1, 2) for _ in range(2)]
        root = graph.op("Add", *(any_tree(graph, random, leaves, 3) for _ in range(2)))
        function = next(op for op in graph.module(root).ops if isinstance(op, FuncOp))
        forms = [any_form(root, random, depth) for depth in (3, 2)]
        form, op = _with_choices(*forms, random), root.owner
        assert isinstance(op, Operation)
        if not isinstance(form, OpForm):
            continue
        own = rule(EARLY, form, OK, Op("Nothing"))
        every = [op_pattern(each.match, "htp") for each in own.written_out]
        one_by_one = [match for pattern in every for match in matches(pattern, op)]
        together = matches(op_pattern(form, "htp"), op)
        assert [match.bound for match in together] == [match.bound for match in one_by_one]
        assert [_covered(match) for match in together] == [_covered(match) for match in one_by_one]
        names = Names(function)
        reason = match_reason(op_pattern(form, "htp"), op, names)
        reasons = [match_reason(pattern, op, names) for pattern in every]
        assert (reason is None) == (None in reasons) == bool(together)
        matched, missed = matched + len(together), missed + (reason is not None)
    assert min(matched, missed) > 50


def test_a_miss_says_all_that_could_stand_there() -> None:
    (entry,) = explain(rule(EARLY, ABS_OR_NEG, OK, SELECT(BOUND("X"), "X", "Y")), relu("Sqrt"))
    assert entry.reason.endswith("htp.Sqrt, the match has htp.Abs or htp.Neg")


def test_a_refusal_says_the_part_of_the_choice_that_was_asked() -> None:
    asked = SELECT(BOUND("X"), EQ(RANK_OF("X"), 3), OK)
    (entry,) = explain(rule(EARLY, ABS_OR_NEG, asked, SELECT(BOUND("X"), "X", "Y")), relu("Abs"))
    assert entry.reason == 'EQ(RANK_OF("X"), 3): 4 != 3'


def test_in_cpp_text_a_rule_becomes_one_for_each_choice() -> None:
    own = rule(EARLY, ABS_OR_NEG, OK, Op("q::Neg", SELECT(BOUND("X"), "X", "Y")))
    text = write_cpp(CppPackage("Mine", rules=rules(own, package="Mine")))
    first, second = text.split("DEF_PACKAGE_OPTIMIZATION(")[1:]
    assert '"Abs", "X"' in first
    assert '"Neg", "Y"' in second
    assert not any(word in text for word in ("ONE_OF", "BOUND"))


def of_relu(replacement: Expr) -> Rule:
    """A rule for the Relu of an Abs, which changes nothing, or of a Relu, which it repeats."""
    match = Op("Relu", ONE_OF(LET("A", Op("Abs", "X")), LET("R", Op("Relu", "X"))))
    return rule(EARLY, match, IS_FLOAT32("*"), replacement)


def test_each_choice_is_drawn_and_compared() -> None:
    sound = of_relu(SELECT(BOUND("A"), "A", Op("Relu", "X")))
    report = check_rule(sound, cases=20)
    assert report.passed
    assert report.cases == 20
    assert not check_rule(of_relu(SELECT(BOUND("A"), "A", "X")), cases=20).passed
    assert not check_rule(of_relu(SELECT(BOUND("A"), "X", "R")), cases=20).passed


def test_a_tag_of_a_choice_needs_one_reader() -> None:
    match = Op("Relu", ONE_OF(LET("A", Op("Abs", "X")), LET("R", Op("Relu", "X"))))
    (finding,) = lint(rules(rule(EARLY, match, IS_FLOAT32("*"), SELECT(BOUND("A"), "A", "X"))))
    assert '"R" names an op that nobody asks for' in finding.message


def test_a_rule_shadows_one_whose_every_choice_it_covers() -> None:
    wide = rule(EARLY, Op("Relu", ONE_OF(Op("Neg", "X"), Op("Abs", "X"))), OK, Op("Neg", "X"))
    narrow = rule(EARLY, Op("Relu", Op("Abs", "Z")), OK, Op("Abs", "Z"))
    other = rule(EARLY, Op("Relu", ONE_OF(Op("Sqrt", "Z"), Op("Abs", "Z"))), OK, Op("Abs", "Z"))
    assert [f.rule for f in lint(rules(wide, narrow, other)) if "stands before" in f.message] == [
        narrow
    ]
