"""How rules run: groups, order, fixpoint, what is left alone."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    DIM_HEIGHT,
    EARLY,
    GT,
    IS_QUINT8,
    LATE,
    LET,
    MESSAGE,
    MIDDLE,
    OK,
    OPTION_BOOL,
    PRODUCER_FOR,
    SUB,
    TYPICAL_SLICE,
    WITH_SAME_OUTPUT,
    GraphOptions,
    Op,
    OpVarIn,
    WrapOp,
    gen_ConstArr_vals_i32,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.tree.expr import Expr

from tests.support.native_graph import NativeGraph
from tests.support.roundtrip import parse

from ..kit import (
    U8,
    apply,
    assert_rewrites,
    assert_stays,
    becomes,
    body,
    chain,
    formula,
    gru_outputs,
    names,
)


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


def test_error_in_a_constraint_names_the_rule_and_the_op() -> None:
    asks = rule(EARLY, Op("Neg", "X"), OPTION_BOOL("speed"), "X", name="asks")
    place = r"asks \(.*test_engine.py:\d+\): at %2 = htp\.Neg: graph option 'speed'"
    with pytest.raises(HtpError, match=place):
        apply(chain("Neg"), asks)


def test_messages_reach_the_report() -> None:
    said: list[str] = []
    apply(chain("Neg"), becomes("Neg", "Abs", constraint=MESSAGE("seen")), report=said.append)
    assert said == ["seen"]
