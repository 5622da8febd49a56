"""Adam and AdamW, by the step that takes the moments from the weights.

An Adam takes the place of three results, or of four: the weights, the moments and AMSGrad's largest
one. Steps are as torch.optim writes them, or as the papers do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product
from math import nan

import numpy as np

from ....dialects.dense import Array
from ...rules import (
    ABSENT,
    ALSO_REPLACE,
    AND,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    OPCONST,
    PRE_TRANSLATE,
    Op,
    OpAnyOrder,
    OpMultiOut,
    Rule,
    external_constraint,
    gen_ConstFrom,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Arg, Expr, OpForm
from .parts import inside_all, is_scalar, minus, over, plus, root, times

_ROUNDING = 2.0**-23
"""Largest difference of two f32 numbers below 1 that stand for one, each rounded once."""


def _number(node: Node) -> float:
    """Return the number of a constant that has one; NaN for another node."""
    array = node.constant
    return float(array.item()) if array is not None and array.size == 1 else nan


@external_constraint("are_kept")
def are_kept(beta: Node, *kept: Node) -> bool:
    """The constants are all one number, the beta."""
    return all(abs(_number(each) - _number(beta)) <= _ROUNDING for each in kept)


@external_constraint("is_rest")
def is_rest(share: Node, beta: Node) -> bool:
    """The share of what is new is 1 less the beta, which is at least 0 and below 1."""
    number = _number(beta)
    return 0 <= number < 1 and abs(_number(share) - (1 - number)) <= _ROUNDING


@external_constraint("are_weights")
def are_weights(*nodes: Node) -> bool:
    """The weights, their gradient and their moments have one shape and are f32."""
    return len({(node.shape, node.spec.dtype) for node in nodes}) == 1


@external_constraint("are_numbers")
def are_numbers(*nodes: Node) -> bool:
    """The nodes are single numbers, of rank 0 or 1."""
    return all(node.spec.elements == 1 and len(node.shape) <= 1 for node in nodes)


@external_constraint("is_decay")
def is_decay(factor: Node, rate: Node) -> bool:
    """The factor is 1 less the learning rate, a constant, times a decay."""
    return rate.constant is not None and _number(rate) > 0 and 0 < _number(factor) <= 1


@shape_function("decay_of")
def decay_of(factor: Node, rate: Node) -> Array:
    """Return the shortest decay whose product with the rate, taken from 1, is the factor."""
    wanted, step = np.float32(_number(factor)), np.float32(_number(rate))
    exact = (1 - float(wanted)) / float(step)
    decays = (np.float32(f"{exact:.{digits}e}") for digits in count())
    return np.asarray(next(d for d in decays if 1 - step * d == wanted or d == np.float32(exact)))


@external_constraint("is_amount")
def is_amount(node: Node) -> bool:
    """The node is a constant of one number that is not negative."""
    return _number(node) >= 0


_ZERO = gen_ConstScalar_f32(0.0)


@dataclass(frozen=True)
class _Decay:
    """The weights and the gradient with a decay, what it asks, and the params of the op."""

    weights: Arg = "P"
    first: Arg = "G"
    """The gradient where it is matched first."""
    again: Arg = "G"
    asks: tuple[Expr, ...] = ()
    amount: Arg = _ZERO
    decoupled: bool = False


_BY_FACTOR = _Decay(
    weights=times("P", OPCONST("K")),
    asks=(EXTERNAL_CONSTRAINT(is_decay, "K", "Rate"),),
    amount=gen_ConstFrom(decay_of, "K", "Rate"),
    decoupled=True,
)
_BY_RATE = _Decay(
    weights=times("P", minus(OPCONST("One"), times("Rate", OPCONST("D")))),
    asks=(is_scalar("One", 1.0), EXTERNAL_CONSTRAINT(is_amount, "D")),
    amount="D",
    decoupled=True,
)
_OF_GRADIENT = _Decay(
    first=LET("Sum", plus("G", times("P", OPCONST("D")))),
    again="Sum",
    asks=(EXTERNAL_CONSTRAINT(is_amount, "D"),),
    amount="D",
)
_NONE = _Decay()


@dataclass(frozen=True)
class _Step:
    """One way to write a step: the new weights, the new moments, and what they ask."""

    root: OpForm
    asks: tuple[Expr, ...]
    results: tuple[str, ...]
    decay: _Decay
    name: str
    epsilon: Arg = "E"


def _gone(moment: int) -> OpForm:
    """Match 1 - beta^step."""
    power = Op("ElementWisePower", OPCONST(f"B{moment}"), "T")
    return minus(OPCONST(f"One{moment}"), power)


_IS_KEPT = EXTERNAL_CONSTRAINT(are_kept, "B1", "K1")
_IS_REST = EXTERNAL_CONSTRAINT(is_rest, "S1", "B1")
_SQUARE_KEPT = times("V", OPCONST("K2"))


def _by_library() -> Iterator[_Step]:
    """The steps of torch.optim: its lerp in two forms, a rate that is constant or not, AMSGrad."""
    constant = times(Op("ElementWiseReciprocal", _gone(1)), OPCONST("Rate"))
    rates = (
        (constant, (_BY_FACTOR, _OF_GRADIENT, _NONE)),
        (over("Rate", _gone(1)), (_BY_RATE, _OF_GRADIENT, _NONE)),
    )
    for (rate, decays), near, largest in product(rates, (True, False), (False, True)):
        for decay in decays:
            way = minus(decay.again if not near else decay.first, "M")
            mean = (
                plus("M", times(OPCONST("S1"), way))
                if near
                else minus(decay.first, times(way, OPCONST("K1")))
            )
            new = times(times(OPCONST("S2"), decay.again), decay.again)
            top = square = LET("Square", plus(_SQUARE_KEPT, new))
            if largest:
                top = LET("Top", OpAnyOrder("ElementWiseMaximum", "L", square))
            size = LET("Size", Op("ElementWiseNeg", rate))
            below = plus(
                over(root(top), times(root(_gone(2)), size)),
                times(Op("ElementWiseReciprocal", "Size"), OPCONST("E")),
            )
            yield _Step(
                plus(decay.weights, over(LET("Mean", mean), below)),
                (_IS_REST if near else _IS_KEPT,),
                ("Mean", "Square", "Top") if largest else ("Mean", "Square"),
                decay,
                "adam",
            )


def _by_paper() -> Iterator[_Step]:
    """The steps of the papers, with moments that are corrected first.

    An exporter leaves out an epsilon that it takes for zero.
    """
    ways = product((_BY_FACTOR, _OF_GRADIENT, _NONE), (False, True), (True, False), (True, False))
    for decay, squared, added, last in ways:
        mean = plus(times("M", OPCONST("K1")), times(OPCONST("S1"), decay.first))
        again = decay.again
        new = (
            times(OPCONST("S2"), times(again, again))
            if squared
            else times(times(OPCONST("S2"), again), again)
        )
        corrected = over(LET("Mean", mean), _gone(1))
        below = root(over(LET("Square", plus(_SQUARE_KEPT, new)), _gone(2)))
        if added:
            below = plus(below, OPCONST("E"))
        taken = (
            times("Rate", over(corrected, below)) if last else over(times("Rate", corrected), below)
        )
        yield _Step(
            minus(decay.weights, taken),
            (_IS_REST, _IS_KEPT),
            ("Mean", "Square"),
            decay,
            "adam of the paper",
            epsilon="E" if added else _ZERO,
        )


def _rule(step: _Step) -> Rule:
    """The rule that makes one op of a step."""
    largest = "Top" in step.results
    leaves = ("P", "G", "M", "V", *(("L",) if largest else ()))
    decay = step.decay
    operands = *leaves[:4], "Rate", "T", "L" if largest else ABSENT
    params = (
        "B1",
        "B2",
        step.epsilon,
        decay.amount,
        gen_ConstScalar_i32(int(decay.decoupled)),
        ABSENT,
    )
    count = 1 + len(step.results)
    outputs = [OpMultiOut(count, place, "Adam", *operands, *params) for place in range(count)]
    out: Expr = outputs[0]
    for name, output in zip(step.results, outputs[1:], strict=True):
        out = ALSO_REPLACE(name, output, out)
    return rule(
        PRE_TRANSLATE + 1,
        step.root,
        AND(
            IS_FLOAT32("*"),
            EXTERNAL_CONSTRAINT(are_weights, "*", *leaves, *step.results),
            EXTERNAL_CONSTRAINT(are_numbers, "Rate", "T", "B1", "B2"),
            *(is_scalar(f"One{moment}", 1.0) for moment in (1, 2)),
            *step.asks,
            EXTERNAL_CONSTRAINT(are_kept, "B2", "K2"),
            EXTERNAL_CONSTRAINT(is_rest, "S2", "B2"),
            *((EXTERNAL_CONSTRAINT(is_amount, "E"),) if step.epsilon == "E" else ()),
            *decay.asks,
            EXTERNAL_CONSTRAINT(
                inside_all, "*", len(step.results), *step.results, *leaves, "Rate", "T"
            ),
        ),
        out,
        name=step.name,
    )


OPTIMISERS = rules(*map(_rule, (*_by_library(), *_by_paper())), package=GRAPH)
"""Steps of Adam and of AdamW, those with a decay in front."""
