"""Lstm and Gru of one step, found as cells: products, gates by Split or slices, and states.

An Lstm replaces two results, the hidden state and the cell's. Gates come in any order:
the weights, which are constant, are put into the op's.

Gates of a recurrent cell: equal parts of one projection, in any order, and weights reordered.
"""

from itertools import pairwise

import numpy as np

from ....dialects.spec_of import Array
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
    OpAnyOutput,
    OpMultiOut,
    OpVarIn,
    Rule,
    external_constraint,
    gen_ConstFrom,
    gen_ConstScalar_i32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OneOf, OpForm
from .spellings import alone, if_bound, inside_all, is_scalar, minus, plus, times
from .views import View, numbers

_SPLIT, _MATRIX = f"{GRAPH}.Split", f"{GRAPH}.MatMul"
_PARTS = _SPLIT, f"{GRAPH}.StridedSlice"
_DIMS = "batch", "number"
"""The dims of a state."""


def part_of(source: Expr | str, name: str) -> OneOf:
    """Match an output of a Split, or a slice whose range has a tag of its own."""
    return ONE_OF(
        OpAnyOutput("Split", source, f"_axis{name}", f"_at{name}"),
        Op("StridedSlice", source, f"_{name}"),
    )


@external_constraint("are_gates")
def are_gates(*parts: Node) -> bool:
    """The nodes are all parts of the last of two dims of one tensor, each as wide as the others."""
    if any(part.name not in _PARTS for part in parts):
        return False
    (source, *others), spans = [part.inputs[0] for part in parts], map(span, parts)
    width = source.shape[-1]
    ends = sorted(each for each in spans if each is not None)
    return (
        len(ends) == len(parts)
        and all(other == source for other in others)
        and {end - begin for begin, end in ends} == {width // len(parts)}
        and (ends[0][0], ends[-1][1]) == (0, width)
        and all(before[1] == after[0] for before, after in pairwise(ends))
    )


@external_constraint("are_states")
def are_states(*nodes: Node) -> bool:
    """The nodes have equal dims: batches, and numbers of each."""
    return len(nodes[0].shape) == len(_DIMS) and len({node.shape for node in nodes}) == 1


def product_of(name: str, data: Expr | str = "") -> OneOf:
    """Match a product with constant weights [n, m], perhaps with a bias, or with a matrix."""
    source, weights = data or name, OPCONST(f"W{name}")
    return ONE_OF(
        OpVarIn("FullyConnected", source, weights),
        Op("MatMul", source, weights, f"_0{name}", f"_1{name}"),
    )


@external_constraint("project_rows")
def project_rows(*products: Node) -> bool:
    """The products are of rows and a constant matrix, with a constant bias or none."""
    return all(len(product.inputs[1].shape) == len(_DIMS) for product in products) and all(
        numbers(product.inputs[2]) == (0,)
        if product.name == _MATRIX
        else all(bias.constant is not None for bias in product.inputs[2:])
        for product in products
    )


def span(part: Node) -> tuple[int, int] | None:
    """Return the begin and the end of a part along the last of two dims; None for another part."""
    source = part.inputs[0].shape
    if part.name == _SPLIT:
        axis, at = part.inputs[1:]
        bounds = (0, *numbers(at), source[-1])
        last = numbers(axis)[0] % len(source) == len(source) - 1
        return (bounds[part.index], bounds[part.index + 1]) if last else None
    ranges = numbers(part.inputs[1])
    *rest, begin, end, step = ranges
    whole = [number for extent in source[:-1] for number in (0, extent, 1)]
    return (begin, end) if rest == whole and step == 1 else None


def _rows(array: Array, parts: tuple[Node, ...]) -> Array:
    """Return the rows that make each part, in the order of the parts."""
    spans = filter(None, map(span, parts))
    return np.concatenate([array[begin:end] for begin, end in spans])


@shape_function("gate_weights")
def gate_weights(weights: Node, product: Node, *parts: Node) -> Array:
    """Return the weights [1, n, m] of a product with the rows in the order of the gates."""
    return _rows(_by_rows(weights, product), parts)[np.newaxis]


def _by_rows(weights: Node, product: Node) -> Array:
    """Return the weights of a product as [n, m]."""
    turned = product.name == _MATRIX and numbers(product.inputs[3]) == (0,)
    return _array(weights).T if turned else _array(weights)


@shape_function("reset_weights")
def reset_weights(weights: Node, last: Node, product: Node, reset: Node, *parts: Node) -> Array:
    """Return the weights of a product's gates, and behind them those of the reset state's."""
    rows = _rows(_by_rows(weights, product), parts)
    return np.concatenate([rows, _by_rows(last, reset)])[np.newaxis]


@shape_function("reset_biases")
def reset_biases(weights: Node, new: Node, old: Node, reset: Node, *parts: Node) -> Array:
    """Return the biases of the input's product, of the state's, and of the reset state's.

    `parts` are three of the first and two of the second.
    """
    columns = _rows(_bias(new), parts[:3]), _rows(_bias(old), parts[3:]), _bias(reset)
    return np.concatenate(columns)[np.newaxis]


@shape_function("gate_biases")
def gate_biases(weights: Node, *nodes: Node) -> Array:
    """Return the biases of two products, first those of all gates of the input.

    `nodes` are the products, then the parts of both; or those of the sum, once.
    """
    products, parts = nodes[:2], nodes[2:]
    half = len(parts) // 2
    both = (parts[:half], parts[half:]) if parts[0].inputs[0] in products else (parts, parts)
    columns = [_rows(_bias(product), each) for product, each in zip(products, both, strict=True)]
    return np.concatenate(columns)[np.newaxis]


@external_constraint("are_equal_rows")
def are_equal_rows(*constants: Node) -> bool:
    """The rows of each constant are equal, as those of a product that is its bias alone."""
    arrays = [node.constant for node in constants if node.constant is not None]
    return len(arrays) == len(constants) and all(
        array.ndim == len(_DIMS) and bool((array == array[:1]).all()) for array in arrays
    )


@shape_function("no_weights")
def no_weights(state: Node, product: Node) -> Array:
    """Return weights [1, n, m] of zeros, for a product of the state as wide as another."""
    return np.zeros((1, product.shape[-1], state.shape[-1]), np.float32)


@shape_function("first_lstm_biases")
def first_lstm_biases(weights: Node, product: Node, constant: Node, *parts: Node) -> Array:
    """Return the biases of a product and the first row of a constant, in the gates' order."""
    columns = _rows(_bias(product), parts), _rows(_array(constant)[0], parts)
    return np.concatenate(columns)[np.newaxis]


@shape_function("first_gru_biases")
def first_gru_biases(weights: Node, product: Node, *nodes: Node) -> Array:
    """Return the biases of a product's three parts, then the first rows of three constants."""
    parts, constants = nodes[:3], nodes[3:]
    columns = _rows(_bias(product), parts), *(_array(node)[0] for node in constants)
    return np.concatenate(columns)[np.newaxis]


def _bias(product: Node) -> Array:
    """Return the bias of a product; zeros where it has none."""
    bias = () if product.name == _MATRIX else product.inputs[2:]
    return next(map(_array, bias), np.zeros(product.shape[-1:], np.float32))


def _array(node: Node) -> Array:
    """Return the data of a constant; TypeError for another node."""
    if node.constant is None:
        raise TypeError(f"{node.name} is no constant")
    return node.constant


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
