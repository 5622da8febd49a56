"""Matches whose inputs come in any order."""

from random import Random

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
from htp_mlir.lowering.rules.ask.near_miss import match_reason
from htp_mlir.lowering.rules.ask.places import Names
from htp_mlir.lowering.rules.definition.pattern import Match, matches, op_pattern
from htp_mlir.lowering.rules.tree.expr import Expr, OpForm, Tag
from htp_mlir.lowering.rules.tree.written_out import orders
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

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


def any_tree(graph: NativeGraph, random: Random, leaves: list[SSAValue], depth: int) -> SSAValue:
    """A tree of sums, products and negations over a few values."""
    if not depth or random.random() < 0.2:
        return random.choice(leaves)
    name = random.choice(("Add", "Mul", "Mul", "Neg"))
    count = 1 if name == "Neg" else 2
    result = graph.op(name, *(any_tree(graph, random, leaves, depth - 1) for _ in range(count)))
    leaves.append(result)
    return result


def any_form(value: SSAValue, random: Random, depth: int) -> Expr:
    """A match of a value, with inputs in any order that may be turned, and few tags."""
    op = value.owner
    if not depth or not isinstance(op, Operation) or random.random() < 0.3:
        return Tag(random.choice("ABCDEFGHIJKL"))
    name, inputs = op.name.removeprefix("htp."), list(op.operands)
    random.shuffle(inputs)
    make = OpAnyOrder if len(inputs) == 2 and random.random() < 0.8 else Op
    return make(name, *(any_form(each, random, depth - 1) for each in inputs))


def _covered(match: Match) -> list[Operation]:
    return list(match.pattern.ops(match.root, match.orders))


@pytest.mark.slow
def test_a_match_finds_what_each_order_written_out_finds_and_misses_as_the_best_of_them() -> None:
    random, matched, missed = Random(0), 0, 0
    for _ in range(200):
        graph = NativeGraph()
        leaves: list[SSAValue] = [graph.input(1, 1, 1, 2) for _ in range(2)]
        root = graph.op("Add", *(any_tree(graph, random, leaves, 3) for _ in range(2)))
        function = next(op for op in graph.module(root).ops if isinstance(op, FuncOp))
        form, op = any_form(root, random, 4), root.owner
        assert isinstance(op, Operation)
        if not isinstance(form, OpForm):
            continue
        every = [op_pattern(order, "htp") for order in orders(form)]
        one_by_one = [match for pattern in every for match in matches(pattern, op)]
        together = matches(op_pattern(form, "htp"), op)
        assert [match.bound for match in together] == [match.bound for match in one_by_one]
        assert [_covered(match) for match in together] == [_covered(match) for match in one_by_one]
        names = Names(function)
        reasons = [match_reason(pattern, op, names) for pattern in every]
        reason = match_reason(op_pattern(form, "htp"), op, names)
        assert reason is None if None in reasons else reason in reasons
        matched, missed = matched + len(together), missed + (reason is not None)
    assert min(matched, missed) > 50


def test_a_miss_is_explained_by_the_order_that_goes_furthest() -> None:
    (entry,) = explain(rule(EARLY, SWISH, OK, Op("Neg", "X")), swish(turned=True, other=True))
    assert 'but "X" is' in entry.reason


def test_in_cpp_text_a_rule_stands_for_each_order() -> None:
    swishes = rules(rule(EARLY, SWISH, OK, Op("q::Neg", "X")), package="Mine")
    text = write_cpp(CppPackage("Mine", rules=swishes))
    first, second = text.split("DEF_PACKAGE_OPTIMIZATION(")[1:]
    assert first.index('"X"') < first.index('"Sigmoid"')
    assert second.index('"X"') > second.index('"Sigmoid"')
