"""SoftmaxCrossEntropy, by the logarithms that a GatherElements picks.

ONNX's NegativeLogLikelihoodLoss comes as its body: the classes may be any dim there, and targets
may be ignored. f16 stays in parts, which round as they did.
"""

from collections.abc import Callable
from itertools import chain
from math import prod

import numpy as np

from ....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ....dialects.value import Shape
from ...rules import (
    AND,
    BOUND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    OK,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SELECT,
    WITH_SIZE,
    Op,
    external_constraint,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .arithmetic import alone, if_bound, over
from .views import View, numbers


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
_WEIGHTS = Op(
    "ElementWiseSelect", Op("Reshape", "Mask", "_flags"), OPCONST("Nothing"), OPCONST("Whole")
)
_WEIGHTED = Op("ElementWiseMultiply", _KEPT, _WEIGHTS)
_WEIGHED = Op("ElementWiseMultiply", _KEPT, LET("Weights", _WEIGHTS))
_NEGATED = _negated(_LOGARITHMS)
_SUM, _MEAN = _of("Sum"), _of("Mean")
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
        _negated(ONE_OF(LET("Mean", _MEAN(_LOGARITHMS)), _SUM(_LOGARITHMS))),
        OK,
        SELECT(BOUND("Mean"), _loss("mean"), _loss("sum")),
    ),
    ("mean", _ONE, _MEAN(ONE_OF(_NEGATED, _PLAIN)), if_bound("Ranges", _IS_WHOLE), _loss("mean")),
    (
        "mean, with ignored targets",
        _ONE,
        over(_SUM(_WEIGHED), _SUM("Weights")),
        AND(_IS_WHOLE, _IGNORED),
        _loss("mean", _NUMBER),
    ),
    (
        "sum",
        _ONE,
        _SUM(ONE_OF(_NEGATED, _PLAIN, _WEIGHTED)),
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
