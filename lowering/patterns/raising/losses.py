"""SoftmaxCrossEntropy, by the logarithms that a GatherElements picks.

f16 stays in parts, which round as they did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from .parts import alone, last_dims
from .views import View, numbers


@external_constraint("picks_targets")
def picks_targets(data: Node, targets: Node, *constants: Node) -> bool:
    """The constants count the targets, one for each row, through the rows of the data.

    They are 0, the extent of the last dim, 1, and the places at which the rows begin.
    """
    *front, depth = data.shape
    zero, count, one, begins = map(numbers, constants)
    places = tuple(range(0, data.spec.elements, depth or 1))
    return (zero, count, one, begins, targets.shape) == ((0,), (depth,), (1,), places, tuple(front))


@external_constraint("is_of_all")
def is_of_all(out: Node) -> bool:
    """The result of a reduction is one number, a scalar."""
    return out.shape == ()


def losses_of(out: Node) -> Shape:
    """Return the dims of what has a loss of each row."""
    return out.shape


LOSSES = View("Reshape", losses_of, losses_of)
"""The losses in the shape of the logarithms that were picked."""


def _places() -> OpForm:
    """Match the places of targets in the data as one row; a negative target counts from the end."""
    targets = LET("Rows", Op("Reshape", "Targets", "_column"))
    zero, count, one, begins = map(OPCONST, _CONSTANTS)
    below = Op("ElementWiseLess", targets, zero)
    places = Op("ElementWiseSelect", below, Op("ElementWiseAdd", "Rows", count), "Rows")
    return Op("ElementWiseAdd", Op("ElementWiseMultiply", places, one), begins)


_CONSTANTS = ("Zero", "Count", "One", "Begins")
_PICKED = Op(
    "Gather",
    Op("Reshape", Op("LogSoftmax", "X", "Axis", "Beta"), "_flat"),
    _places(),
    "At",
)
_SHAPES: tuple[Expr, ...] = (_PICKED, Op("Reshape", _PICKED, "_dims"))
"""The logarithms with a dim of the targets, or without."""


def _negated(value: Expr) -> OpForm:
    return Op("ElementWiseNeg", value)


def _of(kind: str) -> Callable[[Expr], OpForm]:
    return lambda value: Op(f"Reduce{kind}", value, "_axes", "_keep")


_IS_LOSS = AND(
    IS_FLOAT32("X"),
    last_dims("X", "Axis"),
    CONSTVAL_IS("Beta", 1.0),
    EQ(CONSTVAL_INT("At", 0), 0),
    EXTERNAL_CONSTRAINT(picks_targets, "X", "Targets", *_CONSTANTS),
    alone("X", "Targets"),
)


def _loss(reduction: str) -> OpForm:
    numbers = -1, NO_TARGET, REDUCTIONS.index(reduction)
    return Op("SoftmaxCrossEntropy", "X", "Targets", *map(gen_ConstScalar_i32, numbers))


def _reduced() -> Iterator[Rule]:
    """The rules for the mean and for the sum, negative before or after."""
    for kind in ("Mean", "Sum"):
        for picked in _SHAPES:
            for match in (_negated(_of(kind)(picked)), _of(kind)(_negated(picked))):
                yield rule(
                    PRE_TRANSLATE + 3,
                    match,
                    AND(EXTERNAL_CONSTRAINT(is_of_all, "*"), _IS_LOSS),
                    _loss(kind.lower()),
                    name=f"softmax cross entropy, {kind.lower()}",
                )


CROSS_ENTROPIES = rules(
    *_reduced(),
    *(
        rule(
            PRE_TRANSLATE + 4,
            _negated(LET("Picked", picked)),
            _IS_LOSS,
            LOSSES.of(WITH_SIZE("Targets", _loss("none")), "Picked"),
            name="softmax cross entropy of each row",
        )
        for picked in _SHAPES
    ),
    package=GRAPH,
)
"""The mean, the sum and the losses of the rows."""
