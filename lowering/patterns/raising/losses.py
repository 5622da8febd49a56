"""SoftmaxCrossEntropy, by the logarithms that a GatherElements picks.

ONNX's NegativeLogLikelihoodLoss comes as its body: the classes may be any dim there, and targets
may be ignored. f16 stays in parts, which round as they did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from math import prod

import numpy as np

from ....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ....dialects.value.spec import Shape
from ...rules import (
    AND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    WITH_SIZE,
    Op,
    Rule,
    external_constraint,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .arithmetic import alone
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


def _loss(reduction: str, ignored: Expr | int = NO_TARGET) -> OpForm:
    numbers = CONSTVAL_INT("Axis", 0), ignored, REDUCTIONS.index(reduction)
    return Op("SoftmaxCrossEntropy", "X", "Targets", *map(gen_ConstScalar_i32, numbers))


def _reduced() -> Iterator[Rule]:
    """The rules for the mean and for the sum, negative before or after."""
    for kind in ("Mean", "Sum"):
        for match in (_negated(_of(kind)(_LOGARITHMS)), _of(kind)(_negated(_LOGARITHMS))):
            yield rule(
                PRE_TRANSLATE + 3,
                match,
                AND(EXTERNAL_CONSTRAINT(is_of_all, "*"), _IS_LOSS),
                _loss(kind.lower()),
                name=f"softmax cross entropy, {kind.lower()}",
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


def _of_onnx() -> Iterator[Rule]:
    """The rules for NegativeLogLikelihoodLoss behind LogSoftmax, with an ignored target or not."""
    weights = Op(
        "ElementWiseSelect", Op("Reshape", "Mask", "_flags"), OPCONST("Nothing"), OPCONST("Whole")
    )
    losses = _each(_kept())
    weighted = Op("ElementWiseMultiply", losses, weights)
    total = _of("Sum")(Op("ElementWiseMultiply", losses, LET("Weights", weights)))
    ignored = CONSTVAL_INT("Ignored", 0)
    plain = _each(_PICKED)
    matches = {
        "none": (plain, weighted),
        "mean": (_of("Mean")(plain), Op("ElementWiseDivide", total, _of("Sum")("Weights"))),
        "sum": (_of("Sum")(plain), _of("Sum")(weighted)),
    }
    whole = EXTERNAL_CONSTRAINT(takes_all, "Column", "Ranges")
    for reduction, (match, ignoring) in matches.items():
        one = [] if reduction == "none" else [EXTERNAL_CONSTRAINT(is_of_all, "*")]
        name = f"softmax cross entropy of ONNX, {reduction}"
        asks = AND(*one, whole, _IS_LOSS)
        # A reduction comes before the losses that it reduces.
        priority = PRE_TRANSLATE + (4 if reduction == "none" else 3)
        yield rule(priority, match, asks, _loss(reduction), name=name)
        yield rule(
            priority,
            ignoring,
            AND(asks, _IGNORED),
            _loss(reduction, ignored),
            name=f"{name}, with ignored targets",
        )


CROSS_ENTROPIES = rules(
    *_reduced(),
    *_of_onnx(),
    rule(
        PRE_TRANSLATE + 4,
        _negated(LET("Picked", _LOGARITHMS)),
        _IS_LOSS,
        LOSSES.of(WITH_SIZE("Targets", _loss("none")), "Picked"),
        name="softmax cross entropy of each row",
    ),
    package=GRAPH,
)
"""The mean, the sum and the losses of the rows."""
