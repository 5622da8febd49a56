"""How rules run: groups, order, fixpoint, what is left alone, counts, the end of endless rules."""

from __future__ import annotations

import re
import time

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.dtypes import DType, Quant
from htp_mlir.dialects.spec import TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    AUTOSPLIT,
    DIM_HEIGHT,
    EARLY,
    EQ,
    GT,
    IS_QUINT8,
    LATE,
    LET,
    MESSAGE,
    MIDDLE,
    OK,
    OPTION_BOOL,
    PRODUCER_FOR,
    QNN,
    SUB,
    TYPICAL_SLICE,
    WITH_SAME_OUTPUT,
    WITH_SIZE,
    GraphOptions,
    Op,
    OpVarIn,
    Rule,
    WrapOp,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    lineage,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.expr import Arg, Expr
from htp_mlir.lowering.rules.observer import Observer, observing
from xdsl.ir import Operation

from tests.support.native_graph import NativeGraph
from tests.support.roundtrip import parse

from .kit import U8, apply, assert_rewrites, assert_stays, body, chain, formula, gru_outputs, names


def becomes(old: str, new: str, priority: int = EARLY, constraint: Arg = OK) -> Rule:
    """The rule old(X) -> new(X)."""
    return rule(priority, Op(old, "X"), constraint, Op(new, "X"), name=f"{old} to {new}")


def test_groups_run_by_number_whatever_the_order_of_writing() -> None:
    late, early = becomes("Neg", "Relu", LATE), becomes("Neg", "Abs", EARLY)
    module = chain("Neg")
    apply(module, late, early)
    assert formula(module) == "Abs(x0)"


def test_order_of_writing_decides_inside_a_group() -> None:
    for members, wanted in (
        ((becomes("Neg", "Relu"), becomes("Neg", "Abs")), "Relu(x0)"),
        ((becomes("Neg", "Abs"), becomes("Neg", "Relu")), "Abs(x0)"),
    ):
        module = chain("Neg")
        apply(module, *members)
        assert formula(module) == wanted


def test_order_of_writing_holds_across_constrained_and_open_matches() -> None:
    fuse = rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")
    module = chain("Neg", "Neg")
    apply(module, becomes("Neg", "Abs"), fuse)
    assert formula(module) == "Abs(Abs(x0))"
    module = chain("Neg", "Neg")
    apply(module, fuse, rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("*", "*Output"), Op("Abs", "X")))
    assert formula(module) == "x0"


def test_group_runs_until_nothing_changes() -> None:
    halve = rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")
    assert formula(assert_rewrites(chain(*["Neg"] * 7), halve, firings=3)) == "Neg(x0)"


def test_new_ops_are_tried_in_the_same_group() -> None:
    module = chain("Neg")
    apply(module, becomes("Abs", "Relu"), becomes("Neg", "Abs"))
    assert formula(module) == "Relu(x0)"


def test_a_later_group_does_not_wake_an_earlier_one() -> None:
    module = chain("Neg")
    apply(module, becomes("Neg", "Abs", LATE), becomes("Abs", "Relu", EARLY))
    assert formula(module) == "Abs(x0)"


def test_change_further_down_is_found_by_another_walk() -> None:
    """Neg waits for its consumer, which is rewritten after it was visited."""
    waits = rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("*", "Abs"), Op("Relu", "X"))
    module = chain("Neg", "Sigmoid")
    apply(module, waits, becomes("Sigmoid", "Abs"))
    assert formula(module) == "Abs(Relu(x0))"


def test_first_and_last_bound_the_groups() -> None:
    members = rules(
        becomes("Neg", "Abs", EARLY), becomes("Abs", "Relu", MIDDLE), becomes("Relu", "Tanh", LATE)
    )
    for bounds, wanted in (
        ({}, "Tanh(x0)"),
        ({"last": EARLY}, "Abs(x0)"),
        ({"first": EARLY, "last": MIDDLE}, "Relu(x0)"),
        ({"first": MIDDLE}, "Neg(x0)"),
        ({"first": EARLY + 1, "last": MIDDLE - 1}, "Neg(x0)"),
    ):
        module = chain("Neg")
        run_rules(module, members, **bounds)
        assert formula(module) == wanted


def test_rule_leaves_what_it_made_itself_alone() -> None:
    wrap = rule(EARLY, Op("Add", "A", "B"), OK, Op("Add", WrapOp("Relu", "A"), Op("Abs", "B")))
    graph = NativeGraph()
    module = graph.module(graph.op("Add", graph.input(1, 2, 4, 8), graph.input(1, 2, 4, 8)))
    stats = apply(module, wrap)
    assert formula(module) == "Add(Relu(x0), Abs(x1))"
    assert stats.firings == 1


def test_other_rules_and_other_passes_may_go_on() -> None:
    wrap = rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Relu", "X")), name="wrap")
    again = rule(LATE, Op("Neg", "X"), OK, Op("Neg", Op("Abs", "X")), name="again")
    module = chain("Neg")
    apply(module, wrap, again)
    assert formula(module) == "Neg(Abs(Relu(x0)))"
    apply(module, wrap)
    assert formula(module) == "Neg(Relu(Abs(Relu(x0))))"


def test_two_rules_that_wrap_the_same_root_both_end() -> None:
    first = rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Relu", "X")), name="first")
    second = rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Abs", "X")), name="second")
    module = chain("Neg")
    assert apply(module, first, second).firings == 2
    assert formula(module) == "Neg(Abs(Relu(x0)))"


def test_op_of_the_same_name_and_another_shape_is_tried_again() -> None:
    third = rule(
        EARLY,
        Op("Neg", "X"),
        GT(DIM_HEIGHT("*"), 1),
        AUTOSPLIT(1, "I", 1, Op("Neg", TYPICAL_SLICE("X", "I"))),
    )
    assert_rewrites(chain("Neg", dims=(1, 3, 1, 1)), third, firings=1)
    step = rule(EARLY, Op("Neg", "X"), GT(DIM_HEIGHT("*"), 1), _first_and_rest())
    assert_rewrites(chain("Neg", dims=(1, 4, 1, 1)), step, firings=3)


def _first_and_rest() -> Expr:
    return AUTOSPLIT(1, "I", SUB(DIM_HEIGHT("*"), 1), Op("Neg", TYPICAL_SLICE("X", "I")))


def test_op_of_another_encoding_is_tried_again() -> None:
    graph = NativeGraph()
    fine = TensorSpec(U8.shape, DType.QUInt8, Quant((0.01,), (0,)))
    module = graph.module(graph.op("Relu", graph.input(spec=U8), out=fine))
    twice = rule(
        EARLY,
        Op("Relu", "X"),
        IS_QUINT8("X"),
        Op("Relu", WITH_SAME_OUTPUT("X", Op("Relu", "X"))),
    )
    assert apply(module, twice).firings == 2
    assert formula(module) == "Relu(Relu(Relu(x0)))"


def test_flag_must_be_on() -> None:
    fast = rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"), flags=["relaxed_precision_flag"])
    assert_stays(chain("Neg"), fast)
    module = chain("Neg")
    apply(module, fast, options=GraphOptions(relaxed_precision_flag=True))
    assert formula(module) == "Abs(x0)"


def test_flags_are_options_of_any_name_and_all_must_be_on() -> None:
    both = rule(EARLY, Op("Neg", "X"), OK, "X", flags=["mine", "yours"])
    assert_stays(chain("Neg"), both)
    assert_stays(chain("Neg"), both, options=GraphOptions(extra={"mine": True}))
    assert_stays(chain("Neg"), both, options=GraphOptions(extra={"mine": True, "yours": "off"}))
    stats = apply(chain("Neg"), both, options=GraphOptions(extra={"mine": 1, "yours": "on"}))
    assert stats.firings == 1


def test_root_whose_other_outputs_are_read_is_no_match() -> None:
    drop = rule(EARLY, OpVarIn("Gru", "X", "W", "R", "B", "L", "H"), OK, _like_h())
    graph = NativeGraph()
    first, second = gru_outputs(graph)
    assert_stays(graph.module(first, second), drop)
    graph = NativeGraph()
    module = graph.module(gru_outputs(graph)[0])
    apply(module, drop)
    assert "Gru" not in names(module)


def _like_h() -> Expr:
    return Op("Tile", "H", gen_ConstArr_vals_i32(2, 1, 1, 1))


STATE = """
htp.State @h : tensor<1x1x1x4xf32>
func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %no = htp.Const dense<false> : tensor<1x1x1x1xi1> -> tensor<1x1x1x1xi1>
  %1 = htp.StateRead @h, %0, %no
    : tensor<1x1x1x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x1x4xf32>
  %2 = htp.Neg(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  htp.StateWrite @h, %2 : tensor<1x1x1x4xf32>
  %y = htp.Reshape(%2) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %y : tensor<1x1x1x4xf32>
}
"""


def test_op_with_an_effect_is_no_root_but_may_be_read() -> None:
    assert_stays(parse(STATE), rule(EARLY, Op("StateRead", "I", "R"), OK, "I"))
    module = parse(STATE)
    apply(module, rule(EARLY, Op("Neg", LET("S", Op("StateRead", "I", "R"))), OK, Op("Abs", "S")))
    assert [op.name for op in body(module)].count("htp.StateRead") == 1
    apply(module, rule(EARLY, Op("Abs", Op("StateRead", "I", "R")), OK, Op("Abs", "I")))
    assert "StateRead" in names(module)


def test_every_function_is_rewritten() -> None:
    one = "(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {\n" + "".join(
        f"  %{i + 1} = htp.{name}(%{i if i else 'x'}) : (tensor<1x1x1x4xf32>) "
        "-> tensor<1x1x1x4xf32>\n"
        for i, name in enumerate(["Reshape", "Neg", "Reshape"])
    )
    text = f"func.func @a{one}  func.return %3 : tensor<1x1x1x4xf32>\n}}\n"
    module = parse(text + text.replace("@a", "@b"))
    assert apply(module, becomes("Neg", "Abs")).firings == 2


def test_dead_inner_ops_go_with_their_root() -> None:
    module = chain("Relu", "Tanh", "Neg")
    apply(module, rule(EARLY, Op("Neg", Op("Tanh", Op("Relu", "X"))), OK, "X"))
    assert names(module) == []


def test_error_in_a_constraint_names_the_rule() -> None:
    asks = rule(EARLY, Op("Neg", "X"), OPTION_BOOL("speed"), "X", name="asks")
    with pytest.raises(HtpError, match=r"asks \(.*test_engine.py:\d+\): graph option 'speed'"):
        apply(chain("Neg"), asks)


def test_messages_reach_the_report() -> None:
    said: list[str] = []
    apply(chain("Neg"), becomes("Neg", "Abs", constraint=MESSAGE("seen")), report=said.append)
    assert said == ["seen"]


# Counts


def test_counts() -> None:
    tall = EQ(DIM_HEIGHT("X"), 99)
    never = rule(EARLY, Op("Neg", "X"), tall, "X", name="never")
    inner = rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X", name="inner")
    other = becomes("Elu", "Abs")
    stats = run_rules(chain("Neg", "Neg", "Relu", "Neg"), rules(never, inner, other))
    found = stats.of("never")
    assert (found.attempts, found.matches, found.refusals, found.firings) == (4, 4, 4, 0)
    assert found.seconds > 0.0
    assert stats.of(inner).firings == stats.firings == 1
    assert stats.of(other).attempts == 0
    with pytest.raises(KeyError):
        stats.of("nobody")


def test_repeated_tag_counts_as_an_attempt_without_a_match() -> None:
    graph = NativeGraph()
    module = graph.module(graph.op("Add", graph.input(1, 1, 1, 1), graph.input(1, 1, 1, 1)))
    stats = run_rules(module, rules(rule(EARLY, Op("Add", "X", "X"), OK, "X")))
    assert (stats.of("Add").attempts, stats.of("Add").matches) == (1, 0)


def test_statistics_as_text_and_as_rows() -> None:
    first, idle = becomes("Neg", "Abs"), becomes("Elu", "Abs", LATE + 1)
    stats = run_rules(chain("Neg", "Neg"), rules(first, idle))
    header, line, total, rest = str(stats).splitlines()
    assert header.split() == ["attempts", "matches", "refusals", "firings", "ms", "rule"]
    assert re.fullmatch(r" +2 +2 +0 +2 +\d+\.\d\d  EARLY Neg to Abs \(.*:\d+\)", line)
    assert re.fullmatch(r" +2 +2 +0 +2 +\d+\.\d\d  all", total)
    assert rest == "1 more rule met no op to be tried at"
    assert [row["group"] for row in stats.rows()] == ["EARLY", "LATE+1"]
    assert stats.rows()[0]["firings"] == 2
    assert stats.rows()[0]["where"] == first.where


def test_observer_hears_of_every_step() -> None:
    heard: list[str] = []

    class Log(Observer):
        def starts(self, run: object, members: object, function: object) -> None:
            heard.append(f"group of {len(members)}")

        def visits(self, root: Operation, left_alone: object) -> None:
            if root.name in ("htp.Neg", "htp.Abs"):
                heard.append(f"{root.name} {len(left_alone)}")

        def fired(self, rule: Rule, root: object, new: list[Operation]) -> None:
            heard.append(f"{rule.name}: {len(new)}")

        def ends(self, stats: object) -> None:
            heard.append("end")

    with observing(Log()):
        run_rules(chain("Neg"), rules(becomes("Neg", "Abs")))
    run_rules(chain("Neg"), rules(becomes("Neg", "Abs")))
    assert heard == ["group of 1", "htp.Neg 0", "Neg to Abs: 1", "htp.Abs 0", "htp.Abs 0", "end"]


# What does not end


def _endless(*members: Rule, length: int = 1) -> HtpError:
    module = chain(*["Relu"] * length, "Neg")
    with pytest.raises(HtpError) as caught:
        run_rules(module, rules(*members))
    module.verify()
    return caught.value


@pytest.mark.parametrize("length", [1, 3_000])
def test_two_rules_that_feed_each_other_are_named_with_counts(length: int) -> None:
    flip, flop = becomes("Neg", "Abs"), becomes("Abs", "Neg")
    started = time.process_time()
    [fault] = _endless(flip, flop, length=length).faults
    assert time.process_time() - started < 1.0
    assert fault.where == "pass group EARLY"
    assert re.fullmatch(
        r"does not end; its last firings at one place: "
        rf"Abs to Neg \({re.escape(flop.where)}\) 8 times, "
        rf"Neg to Abs \({re.escape(flip.where)}\) 8 times",
        fault.found,
    )
    assert fault.remedy == "give one of these rules a guard"


def test_rule_that_took_part_only_once_is_not_named() -> None:
    members = becomes("Neg", "Tanh"), becomes("Tanh", "Abs"), becomes("Abs", "Tanh")
    assert "Neg to Tanh" not in str(_endless(*members))


def test_circle_of_three() -> None:
    members = becomes("Neg", "Tanh"), becomes("Tanh", "Abs"), becomes("Abs", "Neg")
    found = str(_endless(*members))
    assert all(member.name in found for member in members)


def test_split_into_one_slice_ends_even_without_a_guard() -> None:
    split = AUTOSPLIT(1, "I", 1, Op("Neg", TYPICAL_SLICE("X", "I")))
    assert (
        apply(chain("Neg", dims=(1, 1, 1, 1)), rule(EARLY, Op("Neg", "X"), OK, split)).firings == 1
    )


def test_rule_that_makes_ever_larger_ops_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "_DEPTH", 100)
    none, size = gen_Shape(0, 0, 0, 0), gen_Shape(1, ADD(DIM_HEIGHT("X"), 1), 4, 8)
    pad = WITH_SIZE(size, Op("SlicePad_shape", "X", none, none, size, gen_ConstScalar_f32(0.0)))
    grown = Op("Slice_shape", WITH_SIZE(size, Op("Neg", pad)), none, gen_ShapeOf("*"))
    grows = rule(EARLY, Op("Neg", "X"), OK, grown, name="grows")
    assert re.search(r"at one place: grows \(.*\) 5\d times\n", str(_endless(grows)))


def test_rewrites_that_swap_two_ops_are_named() -> None:
    down = rule(EARLY, Op("Neg", Op("Relu", "X")), OK, Op("Relu", Op("Neg", "X")), name="down")
    up = rule(EARLY, Op("Relu", Op("Neg", "X")), OK, Op("Neg", Op("Relu", "X")), name="up")
    found = str(_endless(down, up))
    assert "down (" in found
    assert "up (" in found


def test_long_way_through_a_large_graph_is_no_fault() -> None:
    """Neg and Abs take turns to rise: as many firings in one line as the graph has ops."""
    members = [
        rule(EARLY, Op(old, Op("Relu", "X")), OK, Op("Relu", Op(new, "X")))
        for old, new in (("Neg", "Abs"), ("Abs", "Neg"))
    ]
    module = chain(*["Relu"] * 1_500, "Neg")
    assert run_rules(module, rules(*members)).firings == 1_500
    assert names(module)[0] == "Neg"


def test_what_was_rewritten_before_the_error_is_valid() -> None:
    module = chain("Neg", "Tanh")
    with pytest.raises(HtpError):
        run_rules(module, rules(becomes("Neg", "Abs"), becomes("Abs", "Neg")))
    module.verify()
    assert_stays(module, becomes("Elu", "Relu", QNN))


def test_number_of_firings_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "_FIRINGS", 3)
    bounded = lineage.Lineage(size=0)
    roots = [op for op in body(chain(*["Neg"] * 4)) if op.name == "htp.Neg"]
    for root in roots[:3]:
        bounded.fires(0, root)
    with pytest.raises(lineage.Endless):
        bounded.fires(0, roots[3])
