"""Adam and AdamW, by the step that takes the moments from the weights, and SoftmaxCrossEntropy.

An Adam replaces three results, or four: the weights, the moments and AMSGrad's largest
one. Steps are as torch.optim writes them, or as the papers do.

The loss is found by the logarithms that a GatherElements picks. ONNX's NegativeLogLikelihoodLoss
comes as its body: the classes may be any dim there, and targets may be ignored. f16 stays in parts,
which round as they did.
"""

from collections.abc import Callable
from itertools import chain, count
from math import nan, prod

import numpy as np

from ....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ....dialects.spec_of import Array
from ....dialects.value import Shape
from ...rules import (
    ABSENT,
    ALSO_REPLACE,
    AND,
    BOUND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    NOT,
    OK,
    ONE_OF,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    SELECT,
    WITH_SIZE,
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
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .spellings import alone, if_bound, inside_all, is_scalar, minus, over, plus, root, times
from .views import View, numbers

_ROUNDING = 2.0**-23
"""Largest difference of two f32 numbers below 1 that one number was rounded to, once each."""


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


def _gone(moment: int) -> OpForm:
    """Match 1 - beta^step."""
    power = Op("ElementWisePower", OPCONST(f"B{moment}"), "T")
    return minus(OPCONST(f"One{moment}"), power)


_ZERO = gen_ConstScalar_f32(0.0)
_WEIGHTS = ONE_OF(
    times("P", OPCONST("Factor")),
    times("P", minus(OPCONST("One"), times("Rate", OPCONST("Decay")))),
    "P",
)
"""The weights with a decay of their own, by a factor or by the rate, or without."""
_SUM = LET("Sum", ONE_OF(plus("G", times("P", OPCONST("L2"))), "G"))
"""The gradient, with a decay of the weights added or without."""
_NEW = ONE_OF(times(times(OPCONST("S2"), _SUM), "Sum"), times(OPCONST("S2"), times(_SUM, "Sum")))
_SQUARE = LET("Square", plus(times("V", OPCONST("K2")), _NEW))


def _by_library(largest: bool) -> OpForm:
    """Match a step of torch.optim: its lerp in two forms, a rate that is constant or not."""
    way = minus("Sum", "M")
    mean = ONE_OF(plus("M", times(OPCONST("S1"), way)), minus("Sum", times(way, OPCONST("K1"))))
    rate = ONE_OF(
        times(Op("ElementWiseReciprocal", _gone(1)), OPCONST("Rate")), over("Rate", _gone(1))
    )
    top = LET("Top", OpAnyOrder("ElementWiseMaximum", "L", _SQUARE)) if largest else _SQUARE
    size = LET("Size", Op("ElementWiseNeg", rate))
    below = plus(
        over(root(top), times(root(_gone(2)), size)),
        times(Op("ElementWiseReciprocal", "Size"), OPCONST("E")),
    )
    return plus(_WEIGHTS, over(LET("Mean", mean), below))


def _by_paper() -> OpForm:
    """Match a step of the papers, with moments that are corrected first.

    An exporter leaves out an epsilon that it takes for zero.
    """
    mean = LET("Mean", plus(times("M", OPCONST("K1")), times(OPCONST("S1"), "Sum")))
    corrected, size = over(mean, _gone(1)), root(over(_SQUARE, _gone(2)))
    below = ONE_OF(plus(size, OPCONST("E")), size)
    taken = ONE_OF(times("Rate", over(corrected, below)), over(times("Rate", corrected), below))
    return minus(_WEIGHTS, taken)


_IN_FRONT = OR(BOUND("Factor"), BOUND("Decay"))
_IS_DECAYED_ONCE = AND(
    NOT(AND(_IN_FRONT, BOUND("L2"))),
    if_bound("Factor", EXTERNAL_CONSTRAINT(is_decay, "Factor", "Rate")),
    if_bound("One", is_scalar("One", 1.0)),
    *(if_bound(tag, EXTERNAL_CONSTRAINT(is_amount, tag)) for tag in ("Decay", "L2")),
)
_AMOUNT = SELECT(
    BOUND("Factor"),
    gen_ConstFrom(decay_of, "Factor", "Rate"),
    SELECT(BOUND("Decay"), "Decay", SELECT(BOUND("L2"), "L2", _ZERO)),
)


def _step(name: str, match: OpForm, largest: bool = False) -> Rule:
    """The rule that makes one op of a step."""
    results = ("Mean", "Square", "Top") if largest else ("Mean", "Square")
    leaves = ("P", "G", "M", "V", *(("L",) if largest else ()))
    operands = *leaves[:4], "Rate", "T", "L" if largest else ABSENT
    decoupled = SELECT(_IN_FRONT, gen_ConstScalar_i32(1), gen_ConstScalar_i32(0))
    params = "B1", "B2", SELECT(BOUND("E"), "E", _ZERO), _AMOUNT, decoupled, ABSENT
    count = 1 + len(results)
    outputs = [OpMultiOut(count, place, "Adam", *operands, *params) for place in range(count)]
    out: Expr = outputs[0]
    for result, output in zip(results, outputs[1:], strict=True):
        out = ALSO_REPLACE(result, output, out)
    return rule(
        PRE_TRANSLATE + 1,
        match,
        AND(
            IS_FLOAT32("*"),
            EXTERNAL_CONSTRAINT(are_weights, "*", *leaves, *results),
            EXTERNAL_CONSTRAINT(are_numbers, "Rate", "T", "B1", "B2"),
            *(is_scalar(f"One{moment}", 1.0) for moment in (1, 2)),
            if_bound("S1", EXTERNAL_CONSTRAINT(is_rest, "S1", "B1")),
            if_bound("K1", EXTERNAL_CONSTRAINT(are_kept, "B1", "K1")),
            EXTERNAL_CONSTRAINT(are_kept, "B2", "K2"),
            EXTERNAL_CONSTRAINT(is_rest, "S2", "B2"),
            if_bound("E", EXTERNAL_CONSTRAINT(is_amount, "E")),
            _IS_DECAYED_ONCE,
            EXTERNAL_CONSTRAINT(inside_all, "*", len(results), *results, *leaves, "Rate", "T"),
        ),
        out,
        name=name,
    )


OPTIMISERS = rules(
    _step("adam", _by_library(largest=False)),
    _step("adam with the largest moment", _by_library(largest=True), largest=True),
    _step("adam of the paper", _by_paper()),
    package=GRAPH,
)
"""Steps of Adam and of AdamW, those with a decay in front."""


@external_constraint("picks_targets")
def picks_targets(data: Node, targets: Node, axis: Node, *constants: Node) -> bool:
    """The constants count the targets, one for each row, through the rows of the data.

    They are 0, the extent of the axis, the elements from one class to the next, and the places at
    which the rows begin.
    """
    (dim,) = numbers(axis)
    dim %= data.spec.rank
    front, depth, behind = data.shape[:dim], data.shape[dim], data.shape[dim + 1 :]
    zero, count, one, begins = map(numbers, constants)
    rows = np.arange(data.spec.elements).reshape(data.shape).take([0][:depth], dim)
    places: Shape = tuple(map(int, rows.flat))
    counted = (zero, count, one, begins) == ((0,), (depth,), (prod(behind),), places)
    return counted and targets.shape == (*front, *behind)


@external_constraint("takes_all")
def takes_all(data: Node, ranges: Node) -> bool:
    """The ranges of a slice take all of the data, in their order."""
    return numbers(ranges) == tuple(chain(*((0, extent, 1) for extent in data.shape)))


@external_constraint("is_of_all")
def is_of_all(out: Node) -> bool:
    """The result of a reduction is one number, a scalar."""
    return out.shape == ()


def losses_of(out: Node) -> Shape:
    """Return the dims of what has a loss of each row."""
    return out.shape


LOSSES = View("Reshape", losses_of, losses_of)
"""The losses in the shape of the logarithms that were picked."""


def _picked(targets: Expr) -> OpForm:
    """Match the logarithms at targets, by their places in the data as one row.

    A negative target counts from the end.
    """
    zero, count, one, begins = map(OPCONST, _CONSTANTS)
    below = Op("ElementWiseLess", LET("Classes", targets), zero)
    places = Op("ElementWiseSelect", below, Op("ElementWiseAdd", "Classes", count), "Classes")
    flat = Op("Reshape", Op("LogSoftmax", "X", "Axis", "Beta"), "_flat")
    counted = Op("ElementWiseAdd", Op("ElementWiseMultiply", places, one), begins)
    return Op("Gather", flat, counted, "At")


_CONSTANTS = ("Zero", "Count", "One", "Begins")
_ROWS = Op("Reshape", "Targets", "_column")
_PICKED = _picked(_ROWS)
_LOGARITHMS = ONE_OF(_PICKED, Op("Reshape", _PICKED, "_dims"))
"""The logarithms with a dim of the targets, or without."""


def _negated(value: Expr) -> OpForm:
    return Op("ElementWiseNeg", value)


def _of(kind: str) -> Callable[[Expr | str], OpForm]:
    return lambda value: Op(f"Reduce{kind}", value, "_axes", "_keep")


_IS_LOSS = AND(
    IS_FLOAT32("X"),
    CONSTVAL_IS("Beta", 1.0),
    EQ(CONSTVAL_INT("At", 0), 0),
    EXTERNAL_CONSTRAINT(picks_targets, "X", "Targets", "Axis", *_CONSTANTS),
    alone("X", "Targets"),
)


_IGNORED = AND(CONSTVAL_IS("None", 0.0), CONSTVAL_IS("Nothing", 0.0), CONSTVAL_IS("Whole", 1.0))


def _kept() -> OpForm:
    """Match the logarithms at the targets that are not ignored, and 0 at those that are."""
    mask = LET("Mask", Op("ElementWiseEqual", LET("Rows", _ROWS), OPCONST("Ignored")))
    first = Op("ElementWiseSelect", "Mask", Op("ElementWiseSubtract", "Rows", "Rows"), "Rows")
    return Op("ElementWiseSelect", mask, OPCONST("None"), _picked(first))


def _each(picked: Expr) -> OpForm:
    """Match the loss of each row in ONNX's body: of the one dim of the classes all is taken."""
    column = LET("Column", _negated(picked))
    return Op("Reshape", Op("StridedSlice", column, OPCONST("Ranges")), "_dims")


_PLAIN, _KEPT = _each(_PICKED), _each(_kept())
_CLASS_WEIGHTS = Op(
    "ElementWiseSelect", Op("Reshape", "Mask", "_flags"), OPCONST("Nothing"), OPCONST("Whole")
)
_WEIGHTED = Op("ElementWiseMultiply", _KEPT, _CLASS_WEIGHTS)
_WEIGHED = Op("ElementWiseMultiply", _KEPT, LET("Weights", _CLASS_WEIGHTS))
_NEGATED = _negated(_LOGARITHMS)
_SUM_OF_LOSSES, _MEAN = _of("Sum"), _of("Mean")
_IS_WHOLE = EXTERNAL_CONSTRAINT(takes_all, "Column", "Ranges")


def _loss(reduction: str, ignored: Expr | int = NO_TARGET) -> OpForm:
    numbers = CONSTVAL_INT("Axis", 0), ignored, REDUCTIONS.index(reduction)
    return Op("SoftmaxCrossEntropy", "X", "Targets", *map(gen_ConstScalar_i32, numbers))


_NUMBER = CONSTVAL_INT("Ignored", 0)
_NONE = PRE_TRANSLATE + 4, OK
_ONE = PRE_TRANSLATE + 3, EXTERNAL_CONSTRAINT(is_of_all, "*")
"""The priority and the constraint of losses that are reduced: they come before those of rows."""

_LOSSES: tuple[tuple[str, tuple[int, Expr], OpForm, Expr, Expr], ...] = (
    (
        "reduced first",
        _ONE,
        _negated(ONE_OF(LET("Mean", _MEAN(_LOGARITHMS)), _SUM_OF_LOSSES(_LOGARITHMS))),
        OK,
        SELECT(BOUND("Mean"), _loss("mean"), _loss("sum")),
    ),
    ("mean", _ONE, _MEAN(ONE_OF(_NEGATED, _PLAIN)), if_bound("Ranges", _IS_WHOLE), _loss("mean")),
    (
        "mean, with ignored targets",
        _ONE,
        over(_SUM_OF_LOSSES(_WEIGHED), _SUM_OF_LOSSES("Weights")),
        AND(_IS_WHOLE, _IGNORED),
        _loss("mean", _NUMBER),
    ),
    (
        "sum",
        _ONE,
        _SUM_OF_LOSSES(ONE_OF(_NEGATED, _PLAIN, _WEIGHTED)),
        AND(if_bound("Ranges", _IS_WHOLE), if_bound("Ignored", _IGNORED)),
        _loss("sum", SELECT(BOUND("Ignored"), _NUMBER, NO_TARGET)),
    ),
    ("none", _NONE, _PLAIN, _IS_WHOLE, _loss("none")),
    (
        "none, with ignored targets",
        _NONE,
        _WEIGHTED,
        AND(_IS_WHOLE, _IGNORED),
        _loss("none", _NUMBER),
    ),
    (
        "of each row",
        _NONE,
        _negated(LET("Picked", _LOGARITHMS)),
        OK,
        LOSSES.of(WITH_SIZE("Targets", _loss("none")), "Picked"),
    ),
)
"""Losses by hand, and as ONNX's body computes them."""

CROSS_ENTROPIES = rules(
    *(
        rule(
            priority, match, AND(kind, asks, _IS_LOSS), loss, name=f"softmax cross entropy, {name}"
        )
        for name, (priority, kind), match, asks, loss in _LOSSES
    ),
    package=GRAPH,
)
"""The mean, the sum and the losses of the rows."""
