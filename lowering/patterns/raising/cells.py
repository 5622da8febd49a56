"""Lstm and Gru of one step, found as cells: products, gates by Split or slices, and states.

An Lstm replaces two results, the hidden state and the cell's. Gates come in any order:
the weights, which are constant, are put into the op's.
"""

from ....dialects.value import Shape
from ...rules import (
    ABSENT,
    ALSO_REPLACE,
    AND,
    BOUND,
    DIM_OF,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    LET,
    NOT,
    ONE_OF,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    XOR,
    Op,
    OpMultiOut,
    Rule,
    gen_ConstFrom,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .arithmetic import alone, if_bound, inside_all, is_scalar, minus, plus, times
from .gates import (
    are_equal_rows,
    are_gates,
    are_states,
    first_gru_biases,
    first_lstm_biases,
    gate_biases,
    gate_weights,
    no_weights,
    part_of,
    product_of,
    project_rows,
    reset_biases,
    reset_weights,
)
from .views import View


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


def _lstm(name: str, both: Expr, initial: str, asks: Expr, weights: tuple[Expr, ...]) -> Rule:
    """The rule for gates that are parts of a sum, with the weights of the op."""
    forget = LET("F", part_of(LET("G", both), "F"))
    kept, new = times(Op("Sigmoid", forget), "State"), times(Op("Sigmoid", "I"), Op("Tanh", "C"))
    states = dict.fromkeys((initial, "State"))
    hidden, state = (
        STATE.of(_layer(3, place, "Lstm", 0, weights, initial, "State"), "State")
        for place in (1, 2)
    )
    return rule(
        PRE_TRANSLATE + 1,
        times(Op("Sigmoid", "O"), Op("Tanh", LET("Cell", plus(kept, new)))),
        AND(
            *(_FLOATS, EXTERNAL_CONSTRAINT(are_states, "*", "Cell", *states)),
            EXTERNAL_CONSTRAINT(are_gates, *_GATES),
            asks,
            EXTERNAL_CONSTRAINT(inside_all, "*", 1, "Cell", "X", *states),
        ),
        ALSO_REPLACE("Cell", state, hidden),
        name=name,
    )


_OF_INPUT, _OF_STATE = LET("GX", product_of("X")), LET("GH", product_of("H"))
LSTMS = rules(
    _lstm(
        "lstm cell",
        plus(_OF_STATE, _OF_INPUT),
        "H",
        EXTERNAL_CONSTRAINT(project_rows, "GX", "GH"),
        (
            *(gen_ConstFrom(gate_weights, f"W{data}", f"G{data}", *_GATES) for data in "XH"),
            gen_ConstFrom(gate_biases, "WX", "GX", "GH", *_GATES),
        ),
    ),
    _lstm(
        "first lstm cell",
        plus(OPCONST("GH"), _OF_INPUT),
        "State",
        AND(
            EXTERNAL_CONSTRAINT(project_rows, "GX"),
            EXTERNAL_CONSTRAINT(are_equal_rows, "GH", "State"),
        ),
        (
            gen_ConstFrom(gate_weights, "WX", "GX", *_GATES),
            gen_ConstFrom(no_weights, "State", "GX"),
            gen_ConstFrom(first_lstm_biases, "WX", "GX", "GH", *_GATES),
        ),
    ),
    package=GRAPH,
)
"""An Lstm, and its first step without a state, whose product was folded."""


def _mixed(gate: OpForm, new: OpForm) -> OpForm:
    """Match the state that a gate keeps, or else the new one, in the two forms in use."""
    keep, fresh = LET("Keep", gate), LET("New", new)
    from_new, shares = times(minus("H", fresh), keep), times(minus(OPCONST("One"), keep), fresh)
    return plus(ONE_OF(from_new, shares), ONE_OF("New", LET("Kept", times("Keep", "H"))))


_IS_MIXED = AND(NOT(XOR(BOUND("One"), BOUND("Kept"))), if_bound("One", is_scalar("One", 1.0)))
"""One form has both a share of the old state and one of the new, the other has neither."""


def _gates(reset_of_state: Expr | str, keep_of_state: Expr | str) -> tuple[OpForm, OpForm]:
    """Match the gates that reset the state and keep it, each of both products."""
    reset = plus(reset_of_state, LET("R", part_of(_OF_INPUT, "R")))
    return Op("Sigmoid", reset), Op("Sigmoid", plus(keep_of_state, "Z"))


def _gru(name: str, match: OpForm, switch: int, asks: Expr, weights: tuple[Expr, ...]) -> Rule:
    """The rule for one form of a Gru, with the weights of the op."""
    return rule(
        PRE_TRANSLATE + 1,
        match,
        AND(
            *(_FLOATS, _IS_MIXED, EXTERNAL_CONSTRAINT(are_gates, *_NEXT)),
            *(asks, alone("X", "H")),
        ),
        STATE.of(_layer(2, 1, "Gru", switch, weights, "H"), "H"),
        name=name,
    )


_PARTS_OF_STATE = LET("RH", part_of(_OF_STATE, "RH")), "ZH"
_RESET, _KEEP = _gates(*_PARTS_OF_STATE)
_FIRST_RESET, _FIRST_KEEP = _gates(OPCONST("RH"), OPCONST("ZH"))
_RESET_STATE = LET("Reset", times(_RESET, "H"))
_NEW_ROWS = gen_ConstFrom(gate_weights, "WX", "GX", *_NEXT)

GRUS = rules(
    _gru(
        "gru cell",
        _mixed(_KEEP, Op("Tanh", plus("N", times("NH", _RESET)))),
        1,
        AND(
            EXTERNAL_CONSTRAINT(are_states, "*", "H"),
            EXTERNAL_CONSTRAINT(are_gates, *_OLD),
            EXTERNAL_CONSTRAINT(project_rows, "GX", "GH"),
        ),
        (
            _NEW_ROWS,
            gen_ConstFrom(gate_weights, "WH", "GH", *_OLD),
            gen_ConstFrom(gate_biases, "WX", "GX", "GH", *_NEXT, *_OLD),
        ),
    ),
    _gru(
        "first gru cell",
        _mixed(_FIRST_KEEP, Op("Tanh", plus("N", times(OPCONST("NH"), _FIRST_RESET)))),
        1,
        AND(
            EXTERNAL_CONSTRAINT(are_states, "*", "H", *_OLD),
            EXTERNAL_CONSTRAINT(project_rows, "GX"),
            EXTERNAL_CONSTRAINT(are_equal_rows, *_OLD, "H"),
        ),
        (
            _NEW_ROWS,
            gen_ConstFrom(no_weights, "H", "GX"),
            gen_ConstFrom(first_gru_biases, "WX", "GX", *_NEXT, *_OLD),
        ),
    ),
    _gru(
        "gru cell, reset first",
        _mixed(_KEEP, Op("Tanh", plus("N", LET("GN", product_of("Reset", _RESET_STATE))))),
        0,
        AND(
            EXTERNAL_CONSTRAINT(are_states, "*", "H", "GN"),
            EXTERNAL_CONSTRAINT(are_gates, "ZH", "RH"),
            EXTERNAL_CONSTRAINT(project_rows, "GX", "GH", "GN"),
        ),
        (
            _NEW_ROWS,
            gen_ConstFrom(reset_weights, "WH", "WReset", "GH", "GN", "ZH", "RH"),
            gen_ConstFrom(reset_biases, "WX", "GX", "GH", "GN", *_NEXT, "ZH", "RH"),
        ),
    ),
    package=GRAPH,
)
"""A Gru whose state is reset behind its product or in front of it, and a first step."""

CELLS = LSTMS + GRUS
"""Cells of one step."""
