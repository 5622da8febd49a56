"""RoutedExperts: TopK of scores, products with the matrices of the chosen, their weighted sum.

The products are in the spelling of `stacks`. f16 stays in parts, which round as they did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product, starmap

from ....dialects.qti_aisw.ops.experts import ACTIVATIONS, ROUTINGS
from ...rules import (
    AND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    PRE_TRANSLATE,
    Op,
    OpAnyOutput,
    Rule,
    external_constraint,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .parts import alone, last_dims, over, times
from .views import numbers

_OF_ALL = 2
"""The dims of data, of scores and of chosen numbers: rows, and columns of each."""


@external_constraint("are_chosen")
def are_chosen(data: Node, scores: Node, places: Node, *best: Node) -> bool:
    """The best scores of each row of the data and their places are those of one TopK."""
    ranks = {len(node.shape) for node in (data, scores)}
    same = all(each.op is places.op and each.index == 0 for each in best)
    return same and places.index == 1 and ranks == {_OF_ALL} and data.shape[0] == scores.shape[0]


@external_constraint("multiplies_chosen")
def multiplies_chosen(data: Node, places: Node, results: Node, stack: Node) -> bool:
    """The results [t, k, f] are of data [t, k or 1, 1, d] times the matrices of the places."""
    if (places.spec.rank, stack.spec.rank) != (2, 3):
        return False
    rows, gathered, *turns = results.inputs[0].inputs
    (count, k), (_, depth, width) = places.shape, stack.shape
    own = data.shape if len(data.shape) > _OF_ALL else (count, 1, depth)
    return (
        rows.shape == (*own[:2], 1, depth)
        and gathered.shape == (count, k, depth, width)
        and results.shape == (count, k, width)
        and [numbers(each) for each in (gathered.inputs[2], *turns)] == [(0,)] * 3
    )


@external_constraint("adds_up_chosen")
def adds_up_chosen(out: Node, results: Node, column: Node, *along: Node) -> bool:
    """The results [t, k, f] are added up over k, each times its weight in a column."""
    count, k, width = results.shape
    return (
        out.shape == (count, width)
        and column.shape == (count, k, 1)
        and [numbers(each) for each in along] in _SUMS
    )


_SUMS = [[(1,), (0,)], [(0, 2, 1), (0,), (0,)]]
"""The params of a sum along k, and of a product with the column."""


def _best(ranked: Expr | str) -> OpForm:
    """Match either output of the TopK."""
    return OpAnyOutput("TopK", ranked, "K", "Largest")


@dataclass(frozen=True)
class Route:
    """A way to weigh experts: what is ranked, the weights by that, and what their tags must be."""

    ranked: Expr | str
    weights: Expr
    asks: tuple[Expr, ...]


_RANKED = LET("Ranked", Op("Softmax", "Scores", "Axis", "Beta"))
_BEST = LET("Best", _best("Ranked"))
_IS_SOFTMAX = (last_dims("Ranked", "Axis"), CONSTVAL_IS("Beta", 1.0))
_ROUTES = {
    "all": Route(_RANKED, _BEST, _IS_SOFTMAX),
    "shared": Route(
        _RANKED,
        over(_BEST, Op("ReduceSum", "Best", "Along", "Keep")),
        (*_IS_SOFTMAX, last_dims("Best", "Along"), EQ(CONSTVAL_INT("Keep", 0), 1)),
    ),
    "chosen": Route(
        "Scores",
        Op("Softmax", LET("Best", _best("Scores")), "Axis", "Beta"),
        (last_dims("Best", "Axis"), CONSTVAL_IS("Beta", 1.0)),
    ),
}
"""The routes by the names of their numbers."""


@dataclass(frozen=True)
class Expert:
    """A kind of experts: their activation, and the presence of a gate."""

    activation: str
    gated: bool

    def inner(self, numbers: Expr) -> Expr:
        """Match what the last product reads."""
        first = _product("Gate" if self.gated else "Up", "X", numbers)
        params = ("Alpha",) if self.activation == "Swish" else ()
        active = Op(self.activation, first, *params)
        return times(active, _product("Up", "X", "Numbers")) if self.gated else active

    def asks(self) -> tuple[Expr, ...]:
        """Ask for products of the rows, and for SiLU where the activation is Swish."""
        stacks = ("Gate", "Up") if self.gated else ("Up",)
        swish = (CONSTVAL_IS("Alpha", 1.0),) if self.activation == "Swish" else ()
        return (*swish, *(_multiplies("X", stack) for stack in stacks))


def _product(stack: str, data: Expr | str, numbers: Expr | str) -> Expr:
    """Match data times the matrices of a stack that were gathered by numbers."""
    rows = Op("Reshape", data, f"_rows{stack}")
    gathered = Op("Gather", stack, numbers, f"_at{stack}")
    multiplied = Op("MatMul", rows, gathered, f"_left{stack}", f"_right{stack}")
    return LET(f"By{stack}", Op("Reshape", multiplied, f"_dims{stack}"))


def _multiplies(data: str, stack: str) -> Expr:
    return EXTERNAL_CONSTRAINT(multiplies_chosen, data, "Places", f"By{stack}", stack)


def _added(results: Expr, weights: Expr) -> tuple[tuple[Expr, tuple[str, ...]], ...]:
    """Match the weighted sum, by ReduceSum and by MatMul, each with the tags of its params."""
    column = LET("Column", Op("Reshape", weights, "_column"))
    turned = Op("Transpose", results, "Order")
    return (
        (Op("ReduceSum", times(results, column), "Over", "Kept"), ("Over", "Kept")),
        (
            Op("Reshape", Op("MatMul", turned, column, "Left", "Right"), "_out"),
            ("Order", "Left", "Right"),
        ),
    )


def _routed(routing: str, expert: Expert) -> Iterator[Rule]:
    """The rules for one route and one kind of experts."""
    route = _ROUTES[routing]
    numbers = LET("Numbers", Op("Cast", LET("Places", _best(route.ranked))))
    inner = LET("Inner", expert.inner(numbers))
    gate = ("Gate",) if expert.gated else ()
    codes = ACTIVATIONS.index(expert.activation), ROUTINGS.index(routing)
    for match, along in _added(_product("Down", inner, "Numbers"), route.weights):
        yield rule(
            PRE_TRANSLATE + 5,
            match,
            AND(
                *(IS_FLOAT32("*"), EQ(CONSTVAL_INT("Largest", 0), 1)),
                EXTERNAL_CONSTRAINT(are_chosen, "X", "Scores", "Places", "Best"),
                *(*route.asks, *expert.asks(), _multiplies("Inner", "Down")),
                EXTERNAL_CONSTRAINT(adds_up_chosen, "*", "ByDown", "Column", *along),
                alone("X", "Scores", "Up", "Down", *gate),
            ),
            Op(
                *("RoutedExperts", "X", "Scores", "Up", "Down", *gate, "K"),
                *map(gen_ConstScalar_i32, codes),
            ),
            name="routed experts",
        )


_EXPERTS = (
    Expert("Swish", gated=True),
    Expert("Gelu", gated=True),
    Expert("Gelu", gated=False),
    Expert("Relu", gated=False),
)

EXPERTS = rules(
    *chain.from_iterable(starmap(_routed, product(_ROUTES, _EXPERTS))),
    package=GRAPH,
)
"""Experts as language models have them."""
