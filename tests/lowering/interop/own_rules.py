"""Rules that use all that PDL can say, each with a module that it fires on."""

from collections.abc import Callable

from htp_mlir.lowering.rules import (
    EARLY,
    INF,
    LET,
    OK,
    OPCONST,
    SAME_SHAPE,
    WITH_SAME_OUTPUT,
    Op,
    OpAnyOrder,
    Rule,
    RuleSet,
    gen_ConstScalar_f32,
    gen_Shape,
    rule,
    rules,
)
from xdsl.dialects.builtin import ModuleOp

from ...support.native_graph import NativeGraph


def relus(graph: NativeGraph) -> ModuleOp:
    x = graph.input(1, 2, 3, 4)
    return graph.module(graph.op("Relu", graph.op("Relu", x)))


def differences(graph: NativeGraph) -> ModuleOp:
    x, b = graph.input(1, 2, 3, 4), graph.random(1, 1, 1, 4)
    return graph.module(graph.op("Sub", x, b), graph.op("Sub", x, graph.input(1, 2, 3, 4)))


def sum_of_a_row(graph: NativeGraph) -> ModuleOp:
    x, b = graph.input(1, 2, 3, 4), graph.input(1, 1, 1, 4)
    return graph.module(graph.op("Sub", x, graph.op("Neg", b)))


def swishes(graph: NativeGraph) -> ModuleOp:
    x, y = graph.input(1, 2, 3, 4), graph.input(1, 2, 3, 4)
    once, other = graph.op("Sigmoid", x), graph.op("Sigmoid", y)
    products = [(x, once), (other, y), (x, other)]
    return graph.module(*(graph.op("Mul", *product) for product in products))


def pooled(graph: NativeGraph) -> ModuleOp:
    window = graph.shape(1, 1, 1, 1)
    return graph.module(graph.op("MaxPool_valid", graph.input(1, 2, 3, 4), window, window))


def maxima(graph: NativeGraph) -> ModuleOp:
    x, row = graph.input(1, 2, 3, 4), graph.input(1, 1, 1, 4)
    out = graph.op("Maximum", row, x, out=x)
    return graph.module(graph.op("Maximum", x, row), out)


def negated_rows(graph: NativeGraph) -> ModuleOp:
    x, row = graph.input(1, 2, 3, 4), graph.input(1, 1, 1, 4)
    return graph.module(*(graph.op("Maximum", x, graph.op("Neg", b), out=x) for b in (x, row)))


OWN: dict[str, tuple[Rule | RuleSet, Callable[[NativeGraph], ModuleOp]]] = {
    "a value of the match": (rule(EARLY, Op("Relu", Op("Relu", "X")), OK, "X"), relus),
    "a named op": (rule(EARLY, Op("Relu", LET("C", Op("Relu", "X"))), OK, "C"), relus),
    "a constant operand": (
        rule(EARLY, Op("Sub", "X", OPCONST("B")), OK, Op("Maximum", "X", "B")),
        differences,
    ),
    "new constants": (
        rule(
            EARLY,
            Op("Relu", "X"),
            OK,
            Op("Clamp", "X", gen_ConstScalar_f32(0.0), gen_ConstScalar_f32(INF)),
        ),
        relus,
    ),
    "new shapes": (
        rule(
            EARLY,
            Op("MaxPool_valid", "X", "W", "S"),
            OK,
            Op("AvgPool_valid", "X", gen_Shape(1, 1, 1, 1), "S"),
        ),
        pooled,
    ),
    "any order, one value twice": (
        rule(EARLY, OpAnyOrder("Mul", "X", Op("Sigmoid", "X")), OK, Op("HardSwish", "X")),
        swishes,
    ),
    "the type of an operand": (
        rule(
            EARLY,
            Op("Sub", "X", Op("Neg", "B")),
            OK,
            Op("Add", "X", WITH_SAME_OUTPUT("B", Op("Abs", "B"))),
        ),
        sum_of_a_row,
    ),
    "equal shapes": (rule(EARLY, Op("Maximum", "X", "B"), SAME_SHAPE("*", "X"), "X"), maxima),
    "equal shapes further in": (
        rule(EARLY, Op("Maximum", "X", Op("Neg", "B")), SAME_SHAPE("*", "B"), "B"),
        negated_rows,
    ),
    "two rules": (
        rules(
            rule(EARLY, Op("Relu", "X"), OK, Op("Abs", "X")),
            rule(EARLY, Op("Abs", Op("Abs", "X")), OK, Op("Neg", "X")),
        ),
        relus,
    ),
}
