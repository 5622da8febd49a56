"""Lstm and Gru of one step, found as cells: products, gates by Split or slices, and states.

An Lstm takes the place of two results, the hidden state and the cell's. Gates come in any order:
the weights, which are constant, are put into the op's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product, starmap

from .....dialects.value.spec import Shape
from ....rules import (
    ABSENT,
    ALSO_REPLACE,
    AND,
    DIM_OF,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    LET,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    Op,
    OpMultiOut,
    Rule,
    gen_ConstFrom,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ....rules.graph.graph import Node
from ....rules.graph.names import GRAPH
from ....rules.tree.expr import Expr, OpForm
from ..parts import (
    alone,
    inside_all,
    is_scalar,
    minus,
    plus,
    times,
)
from ..views import View
from .gates import (
    PRODUCTS,
    TAKES,
    Product,
    Take,
    are_equal_rows,
    are_gates,
    are_states,
    first_gru_biases,
    first_lstm_biases,
    gate_biases,
    gate_weights,
    no_weights,
    project_rows,
    reset_biases,
    reset_weights,
)


def first_of_steps(node: Node) -> Shape:
    """Return the dims with a one in front: a step, or a direction."""
    return (1, *node.shape)


def without_steps(node: Node) -> Shape:
    """Return the dims of a state."""
    return node.shape


STEP = View("Reshape", first_of_steps, first_of_steps)
"""Rows as one step of a sequence, a state as that of one direction."""
STATE = View("Reshape", without_steps, without_steps)
"""The state of one direction as rows."""

_FLOATS = OR(IS_FLOAT32("*"), IS_FLOAT16("*"))
_NONE = gen_ConstScalar_i32(0)
"""The number of a param that is off, and of the direction forward."""


_GATES = ("I", "O", "F", "C")
"""The gates of an Lstm in the order of the op."""
_NEXT, _OLD = ("Z", "R", "N"), ("ZH", "RH", "NH")
"""Those of a Gru: what the input adds to each, and what the state does."""


def _layer(
    outputs: int, place: int, name: str, switch: int, weights: tuple[Expr, ...], *states: str
) -> OpForm:
    """Build an op over one step and take one of its results."""
    operands = (STEP.of("X", "X"), *weights, ABSENT, *(STEP.of(each, each) for each in states))
    params = gen_ConstScalar_i32(switch), gen_ConstScalar_i32(DIM_OF("*", 1)), _NONE, ABSENT
    return OpMultiOut(outputs, place, name, *operands, *params)


def _lstm(take: Take, of_input: Product, of_state: Product) -> Rule:
    """The rule for one way to take gates from the sum of the products."""
    both = plus(LET("GH", of_state("H")), LET("GX", of_input("X")))
    weights = (
        *(gen_ConstFrom(gate_weights, f"W{data}", f"G{data}", *_GATES) for data in "XH"),
        gen_ConstFrom(gate_biases, "WX", "GX", "GH", *_GATES),
    )
    asks = EXTERNAL_CONSTRAINT(project_rows, "GX", "GH")
    return _lstm_of(take, both, weights, "H", asks, "lstm cell")


def _first_lstm(take: Take, of_input: Product) -> Rule:
    """The rule for a step without a state, whose product was folded."""
    both = plus(OPCONST("GH"), LET("GX", of_input("X")))
    weights = (
        gen_ConstFrom(gate_weights, "WX", "GX", *_GATES),
        gen_ConstFrom(no_weights, "State", "GX"),
        gen_ConstFrom(first_lstm_biases, "WX", "GX", "GH", *_GATES),
    )
    asks = AND(
        EXTERNAL_CONSTRAINT(project_rows, "GX"),
        EXTERNAL_CONSTRAINT(are_equal_rows, "GH", "State"),
    )
    return _lstm_of(take, both, weights, "State", asks, "first lstm cell")


def _lstm_of(
    take: Take, both: Expr, weights: tuple[Expr, ...], initial: str, asks: Expr, name: str
) -> Rule:
    """The rule for gates that are taken from a sum, with the weights of the op."""
    gates = {gate: LET(gate, take("G", gate)) for gate in _GATES}
    gates["F"] = LET("F", take(LET("G", both), "F"))
    sigmoids = {gate: Op("Sigmoid", gates[gate]) for gate in "IOF"}
    kept = times(sigmoids["F"], "State")
    cell = LET("Cell", plus(kept, times(sigmoids["I"], Op("Tanh", gates["C"]))))
    states = dict.fromkeys((initial, "State"))
    hidden, state = (
        STATE.of(_layer(3, place, "Lstm", 0, weights, initial, "State"), "State")
        for place in (1, 2)
    )
    return rule(
        PRE_TRANSLATE + 1,
        times(sigmoids["O"], Op("Tanh", cell)),
        AND(
            *(_FLOATS, EXTERNAL_CONSTRAINT(are_states, "*", "Cell", *states)),
            EXTERNAL_CONSTRAINT(are_gates, *_GATES),
            asks,
            EXTERNAL_CONSTRAINT(inside_all, "*", 1, "Cell", "X", *states),
        ),
        ALSO_REPLACE("Cell", state, hidden),
        name=name,
    )


def _mixed(gate: OpForm, new: OpForm) -> tuple[OpForm, ...]:
    """Match the state that a gate keeps, or else the new one, in the two forms in use."""
    kept, first = LET("Keep", gate), LET("New", new)
    return (
        plus(times(minus("H", first), gate), "New"),
        plus(times(minus(OPCONST("One"), kept), new), times("Keep", "H")),
    )


def _gru(take: Take, of_input: Product, of_state: Product) -> Iterator[Rule]:
    """The rules for one way to take gates from both products."""
    parts = {name: LET(name, take("GX", name)) for name in _NEXT}
    olds = {name: LET(name, take("GH", name)) for name in _OLD}
    parts["R"] = LET("R", take(LET("GX", of_input("X")), "R"))
    olds["RH"] = LET("RH", take(LET("GH", of_state("H")), "RH"))
    reset, keep = (Op("Sigmoid", plus(olds[f"{name}H"], parts[name])) for name in "RZ")
    new = Op("Tanh", plus(parts["N"], times(olds["NH"], reset)))
    weights = (
        gen_ConstFrom(gate_weights, "WX", "GX", *_NEXT),
        gen_ConstFrom(gate_weights, "WH", "GH", *_OLD),
        gen_ConstFrom(gate_biases, "WX", "GX", "GH", *_NEXT, *_OLD),
    )
    numbers = ((), (is_scalar("One", 1.0),))
    for match, asks in zip(_mixed(keep, new), numbers, strict=True):
        yield rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(_FLOATS, EXTERNAL_CONSTRAINT(are_states, "*", "H"), *asks),
                *(EXTERNAL_CONSTRAINT(are_gates, *each) for each in (_NEXT, _OLD)),
                EXTERNAL_CONSTRAINT(project_rows, "GX", "GH"),
                alone("X", "H"),
            ),
            STATE.of(_layer(2, 1, "Gru", 1, weights, "H"), "H"),
            name="gru cell",
        )


def _first_gru(take: Take, of_input: Product) -> Rule:
    """The rule for a step without a state, whose product was folded and cut."""
    parts = {name: LET(name, take("GX", name)) for name in _NEXT}
    parts["R"] = LET("R", take(LET("GX", of_input("X")), "R"))
    reset, keep = (Op("Sigmoid", plus(OPCONST(f"{name}H"), parts[name])) for name in "RZ")
    new = Op("Tanh", plus(parts["N"], times(OPCONST("NH"), reset)))
    weights = (
        gen_ConstFrom(gate_weights, "WX", "GX", *_NEXT),
        gen_ConstFrom(no_weights, "H", "GX"),
        gen_ConstFrom(first_gru_biases, "WX", "GX", *_NEXT, *_OLD),
    )
    return rule(
        PRE_TRANSLATE + 1,
        _mixed(keep, new)[0],
        AND(
            *(_FLOATS, EXTERNAL_CONSTRAINT(are_states, "*", "H", *_OLD)),
            EXTERNAL_CONSTRAINT(are_gates, *_NEXT),
            EXTERNAL_CONSTRAINT(project_rows, "GX"),
            EXTERNAL_CONSTRAINT(are_equal_rows, *_OLD, "H"),
            alone("X", "H"),
        ),
        STATE.of(_layer(2, 1, "Gru", 1, weights, "H"), "H"),
        name="first gru cell",
    )


def _gru_reset_first(take: Take, product_of: Product) -> Iterator[Rule]:
    """The rules for a state that is reset in front of its product, in the two forms in use."""
    parts = {name: LET(name, take("GX", name)) for name in _NEXT}
    olds = {name: LET(name, take("GH", name)) for name in ("ZH", "RH")}
    parts["R"] = LET("R", take(LET("GX", product_of("X")), "R"))
    olds["RH"] = LET("RH", take(LET("GH", product_of("H")), "RH"))
    reset, keep = (Op("Sigmoid", plus(olds[f"{name}H"], parts[name])) for name in "RZ")
    old = LET("GN", product_of("Reset", LET("Reset", times(reset, "H"))))
    new = Op("Tanh", plus(parts["N"], old))
    weights = (
        gen_ConstFrom(gate_weights, "WX", "GX", *_NEXT),
        gen_ConstFrom(reset_weights, "WH", "WReset", "GH", "GN", "ZH", "RH"),
        gen_ConstFrom(reset_biases, "WX", "GX", "GH", "GN", *_NEXT, "ZH", "RH"),
    )
    numbers = ((), (is_scalar("One", 1.0),))
    for match, asks in zip(_mixed(keep, new), numbers, strict=True):
        yield rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(_FLOATS, EXTERNAL_CONSTRAINT(are_states, "*", "H", "GN"), *asks),
                *(EXTERNAL_CONSTRAINT(are_gates, *each) for each in (_NEXT, ("ZH", "RH"))),
                EXTERNAL_CONSTRAINT(project_rows, "GX", "GH", "GN"),
                alone("X", "H"),
            ),
            STATE.of(_layer(2, 1, "Gru", 0, weights, "H"), "H"),
            name="gru cell, reset first",
        )


_WAYS = tuple(product(TAKES, PRODUCTS, PRODUCTS))

CELLS = rules(
    *starmap(_lstm, _WAYS),
    *chain.from_iterable(starmap(_gru, _WAYS)),
    *starmap(_first_lstm, product(TAKES, PRODUCTS)),
    *starmap(_first_gru, product(TAKES, PRODUCTS)),
    *chain.from_iterable(starmap(_gru_reset_first, product(TAKES, PRODUCTS))),
    package=GRAPH,
)
"""Cells of one step."""
