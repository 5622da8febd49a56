"""Matches whose inputs come in any order."""

from __future__ import annotations

import pytest
from htp_mlir.lowering.packages.def_package.package import CppPackage
from htp_mlir.lowering.packages.def_package.writer import write_cpp
from htp_mlir.lowering.rules import (
    CONSTVAL_IS,
    EARLY,
    OK,
    OPCONST,
    Op,
    OpAnyOrder,
    explain,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.tree.walk import orders
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.native_graph import NativeGraph

SWISH = OpAnyOrder("Mul", "X", Op("Sigmoid", "X"))


def swish(turned: bool, other: bool = False) -> ModuleOp:
    """x * sigmoid(x), or sigmoid(x) * x; with `other` of another x."""
    graph = NativeGraph()
    x = graph.input(1, 2, 4, 8)
    gate = graph.op("Sigmoid", graph.input(1, 2, 4, 8) if other else x)
    factors: tuple[SSAValue, ...] = (gate, x) if turned else (x, gate)
    return graph.module(graph.op("Mul", *factors))


@pytest.mark.parametrize("turned", [False, True])
def test_both_orders_match(turned: bool) -> None:
    table = rules(rule(EARLY, SWISH, OK, Op("Neg", "X")))
    assert run_rules(swish(turned), table).firings == 1
    assert run_rules(swish(turned, other=True), table).firings == 0


def test_an_op_in_order_matches_in_that_order_alone() -> None:
    table = rules(rule(EARLY, Op("Mul", "X", Op("Sigmoid", "X")), OK, Op("Neg", "X")))
    assert [run_rules(swish(turned), table).firings for turned in (False, True)] == [1, 0]


def test_another_order_is_tried_where_the_constraint_fails_for_the_first() -> None:
    graph = NativeGraph()
    one, two = graph.scalar(1.0), graph.scalar(2.0)
    module = graph.module(graph.op("Add", graph.op("Mul", one, two), graph.input(1, 1, 1, 1)))
    match = OpAnyOrder("Mul", OPCONST("A"), OPCONST("B"))
    table = rules(rule(EARLY, match, CONSTVAL_IS("A", 2.0), "B"))
    stats = run_rules(module, table)
    (count,) = stats.counts
    assert (count.matches, count.refusals, count.firings) == (1, 0, 1)


def test_orders_within_orders_as_written_first() -> None:
    form = OpAnyOrder("Add", OpAnyOrder("Mul", "A", "B"), "C")
    written = [str(order) for order in orders(form)]
    assert len(set(written)) == 4
    assert written[0] == 'Op("Add", Op("Mul", "A", "B"), "C")'
    assert str(form) == 'OpAnyOrder("Add", OpAnyOrder("Mul", "A", "B"), "C")'


def test_a_miss_is_explained_by_the_order_that_goes_furthest() -> None:
    (entry,) = explain(rule(EARLY, SWISH, OK, Op("Neg", "X")), swish(turned=True, other=True))
    assert 'but "X" is' in entry.reason


def test_in_cpp_text_a_rule_stands_for_each_order() -> None:
    swishes = rules(rule(EARLY, SWISH, OK, Op("q::Neg", "X")), package="Mine")
    text = write_cpp(CppPackage("Mine", rules=swishes))
    first, second = text.split("DEF_PACKAGE_OPTIMIZATION(")[1:]
    assert first.index('"X"') < first.index('"Sigmoid"')
    assert second.index('"X"') > second.index('"Sigmoid"')
