"""Rules that replace several results, and match outputs other than the first."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.def_package.package import CppPackage
from htp_mlir.lowering.packages.def_package.writer import write_cpp
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.rules import (
    ALSO_REPLACE,
    EARLY,
    EXTERNAL_REPLACE,
    IS_FLOAT32,
    LET,
    OK,
    Op,
    OpAnyOutput,
    Rule,
    explain,
    external_replacement,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.graph.graph import Node
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.lowering.rules.tree.build import Builder
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same, feeds
from tests.support.graph import Graph
from tests.support.native_graph import NativeGraph

INNER = Op("Exp", LET("N", Op("Neg", "X")))


def both() -> Rule:
    """1 / exp(x) for exp(-x), and x times -1 for the inner op, which others may read."""
    turned = Op("Sub", Op("Sub", "X", "X"), "X")
    root = Op("Reciprocal", Op("Exp", "X"))
    return rule(EARLY, INNER, IS_FLOAT32("X"), ALSO_REPLACE("N", turned, root))


def graph(late: bool = False) -> ModuleOp:
    """exp(-x); -x is read by another op in front of it, and by one behind it."""
    native = NativeGraph()
    x = native.input(1, 2, 4, 8)
    inner = native.op("Neg", x)
    early = native.op("Abs", inner)
    source = native.op("Neg", early) if late else inner
    return native.module(early, native.op("Exp", source), native.op("Tanh", inner))


def test_all_results_are_replaced_in_front_of_their_readers() -> None:
    module = graph()
    session = Session(module)
    inputs = feeds(session)
    expected = session.run(inputs)
    after = module.clone()
    assert run_rules(after, rules(both())).firings == 1
    after.verify()
    check_dominance(after)
    assert not [op for op in after.walk() if op.name == "htp.Neg"]
    assert_same(Session(after).run(inputs), expected)


def test_nothing_changes_where_a_reader_stands_in_front_of_a_new_input() -> None:
    native = NativeGraph()
    x = native.input(1, 2, 4, 8)
    inner = native.op("Neg", x)
    early = native.op("Abs", inner)
    module = native.module(early, native.op("Add", inner, native.op("Tanh", early)))
    added = rule(
        EARLY,
        Op("Add", LET("N", Op("Neg", "X")), "Y"),
        OK,
        ALSO_REPLACE("N", Op("Sub", "Y", Op("Add", "X", "Y")), Op("Sub", "Y", "X")),
    )
    assert run_rules(module, rules(added)).firings == 0
    (entry,) = explain(added, module)
    assert entry.outcome.value == "nothing to do"


def test_soundness_compares_what_takes_the_place_of_inner_ops() -> None:
    assert check_rule(both(), cases=20, rule_set=rules(both())).passed
    replacement = ALSO_REPLACE("N", Op("Abs", "X"), Op("Exp", Op("Neg", "X")))
    wrong = rule(EARLY, INNER, IS_FLOAT32("X"), replacement)
    assert not check_rule(wrong, cases=20, rule_set=rules(wrong)).passed


@pytest.mark.parametrize(
    ("replacement", "fault"),
    [
        (ALSO_REPLACE("X", Op("Neg", "X"), "X"), "no LET"),
        (Op("Abs", ALSO_REPLACE("N", "X", Op("Neg", "X"))), "at the root"),
        (ALSO_REPLACE("N", "X", ALSO_REPLACE("N", "X", Op("Neg", "X"))), "2 times"),
        (OpAnyOutput("Split", "X"), "only matches"),
    ],
)
def test_a_wrong_replacement_is_no_rule(replacement: Op, fault: str) -> None:
    with pytest.raises(HtpError, match=fault):
        rule(EARLY, INNER, OK, replacement)


def test_the_root_of_a_match_has_its_first_output() -> None:
    with pytest.raises(HtpError, match="first output of its root"):
        rule(EARLY, OpAnyOutput("Split", "X"), OK, "X")


@external_replacement("zeros", all_outputs=True)
def zeros(builder: Builder, root: Node) -> SSAValue:
    """A value like the first output."""
    return builder.const(np.zeros(root.shape, np.float32), root.spec)


@pytest.mark.parametrize("is_read", [False, True])
def test_a_root_stays_where_another_output_is_read_and_not_replaced(is_read: bool) -> None:
    model = Graph()
    halves = model.ops("Split", model.input(2, 2), axis=0, split_index=(1,))
    for name, half in zip("yz", halves[: 1 + is_read], strict=False):
        model.give(name, half)
    first = Op("qti_aisw::Split", "X", "_axis", "_at")
    change = rule(EARLY, first, OK, EXTERNAL_REPLACE(zeros))
    assert run_rules(model.model().module, rules(change)).firings == (not is_read)


@pytest.mark.parametrize(
    "fired", [rule(EARLY, INNER, OK, ALSO_REPLACE("N", "X", Op("Neg", "X"))), both()]
)
def test_cpp_text_has_no_such_word(fired: Rule) -> None:
    with pytest.raises(HtpError, match="ALSO_REPLACE has no form in C"):
        write_cpp(CppPackage("htp", rules=rules(fired)))


def second_of_two(any_output: bool) -> Rule:
    """A rule on a part of a Split."""
    take = OpAnyOutput if any_output else Op
    part = take("qti_aisw::Split", "X", "_axis", "_at")
    return rule(
        EARLY, Op("qti_aisw::Relu", LET("P", part)), OK, Op("qti_aisw::ElementWiseAbs", "P")
    )


@pytest.mark.parametrize("any_output", [False, True])
def test_other_outputs_match_where_the_rule_says_so(any_output: bool) -> None:
    model = Graph()
    parts = model.ops("Split", model.input(2, 4), axis=1, split_index=(2,))
    model.give("y", model.op("Relu", parts[1]))
    module = model.model().module
    (entry,) = explain(second_of_two(any_output), module)
    assert ("output 1 of qti_aisw.Split" in entry.reason) is not any_output
    assert run_rules(module, rules(second_of_two(any_output))).firings == any_output


def test_cpp_text_takes_the_first_output_alone() -> None:
    part = Op("Neg", OpAnyOutput("Split", "X"))
    with pytest.raises(HtpError, match="OpAnyOutput has no form in C"):
        write_cpp(CppPackage("htp", rules=rules(rule(EARLY, part, OK, "X"))))
    assert str(part) == ('Op("Neg", OpAnyOutput("Split", "X"))')
