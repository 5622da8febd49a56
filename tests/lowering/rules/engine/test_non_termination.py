"""Rules that never end are named, with counts; what they leave is valid."""

import re

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.rules import (
    ADD,
    AUTOSPLIT,
    DIM_HEIGHT,
    EARLY,
    OK,
    QNN,
    TYPICAL_SLICE,
    WITH_SIZE,
    Op,
    Rule,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.engine import engine

from ..kit import apply, assert_stays, becomes, body, chain, names


def _endless(*members: Rule, length: int = 1) -> HtpError:
    module = chain(*["Relu"] * length, "Neg")
    with pytest.raises(HtpError) as caught:
        run_rules(module, rules(*members))
    module.verify()
    return caught.value


@pytest.mark.parametrize("length", [1, pytest.param(3_000, marks=pytest.mark.slow)])
def test_two_rules_that_feed_each_other_are_named_with_counts(length: int) -> None:
    flip, flop = becomes("Neg", "Abs"), becomes("Abs", "Neg")
    [fault] = _endless(flip, flop, length=length).faults
    assert fault.where == "pass group EARLY"
    assert re.fullmatch(
        r"does not end; its last firings at one place, %\d+ = htp.Abs: "
        rf"Abs to Neg \({re.escape(flop.where)}, 2nd rule\) 8 times, "
        rf"Neg to Abs \({re.escape(flip.where)}, 1st rule\) 8 times",
        fault.problem,
    )
    assert fault.remedy == "give one of these rules a guard"


def test_rule_that_took_part_only_once_is_not_named() -> None:
    members = becomes("Neg", "Tanh"), becomes("Tanh", "Abs"), becomes("Abs", "Tanh")
    assert "Neg to Tanh" not in str(_endless(*members))


def test_circle_of_three() -> None:
    members = becomes("Neg", "Tanh"), becomes("Tanh", "Abs"), becomes("Abs", "Neg")
    message = str(_endless(*members))
    assert all(member.name in message for member in members)


def test_split_into_one_slice_ends_even_without_a_guard() -> None:
    split = AUTOSPLIT(1, "I", 1, Op("Neg", TYPICAL_SLICE("X", "I")))
    assert (
        apply(chain("Neg", dims=(1, 1, 1, 1)), rule(EARLY, Op("Neg", "X"), OK, split)).firings == 1
    )


def test_rule_that_makes_ever_larger_ops_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_DEPTH", 100)
    none, size = gen_Shape(0, 0, 0, 0), gen_Shape(1, ADD(DIM_HEIGHT("X"), 1), 4, 8)
    pad = WITH_SIZE(size, Op("SlicePad_shape", "X", none, none, size, gen_ConstScalar_f32(0.0)))
    grown = Op("Slice_shape", WITH_SIZE(size, Op("Neg", pad)), none, gen_ShapeOf("*"))
    grows = rule(EARLY, Op("Neg", "X"), OK, grown, name="grows")
    assert re.search(
        r"at one place, %\d+ = htp\.Neg: grows \(.*\) 5\d times\n", str(_endless(grows))
    )


def test_rewrites_that_swap_two_ops_are_named() -> None:
    down = rule(EARLY, Op("Neg", Op("Relu", "X")), OK, Op("Relu", Op("Neg", "X")), name="down")
    up = rule(EARLY, Op("Relu", Op("Neg", "X")), OK, Op("Neg", Op("Relu", "X")), name="up")
    message = str(_endless(down, up))
    assert "down (" in message
    assert "up (" in message


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
    monkeypatch.setattr(engine, "_FIRINGS", 3)
    bounded = engine.Provenance(size=0)
    roots = [op for op in body(chain(*["Neg"] * 4)) if op.name == "htp.Neg"]
    for root in roots[:3]:
        bounded.fires(0, root)
    with pytest.raises(engine.NonTermination):
        bounded.fires(0, roots[3])
