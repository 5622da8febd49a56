"""Scores whose sums and dims stand in the way of a core: several masks, Reshapes before a Softmax.

Some models keep batch and heads as one dim in the products, and apart in the masks.
"""

from ....dialects.value import Shape
from ...rules import (
    AND,
    BOUND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    LET,
    NOT,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    Op,
    Rule,
    external_constraint,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr
from .arithmetic import alone, over, plus, times
from .attention import IS_FACTOR, with_factor
from .views import ATTENDED, BROADCAST, View, numbers

_BEFORE = PRE_TRANSLATE + 2
"""The priority of rules in front of the cores."""
_FACTORS = f"{GRAPH}.ElementWiseMultiply", f"{GRAPH}.ElementWiseDivide"
_TO_SOFTMAX = (
    *_FACTORS,
    *(f"{GRAPH}.{op}" for op in ("ElementWiseAdd", "ElementWiseSelect", "Reshape")),
)


@external_constraint("is_scored")
def is_scored(scores: Node) -> bool:
    """Nothing but factors, masks and Reshapes stands between the scores and a Softmax."""
    value = scores.value
    while (use := value.get_user_of_unique_use()) is not None and use.name in _TO_SOFTMAX:
        value = use.results[0]
    return use is not None and use.name == f"{GRAPH}.Softmax"


@external_constraint("is_product")
def is_product(scores: Node) -> bool:
    """The scores are a product, or one with factors."""
    while scores.name in _FACTORS and scores.inputs[1].constant is not None:
        scores = scores.inputs[0]
    return scores.name == f"{GRAPH}.MatMul"


@external_constraint("is_weighting")
def is_weighting(weights: Node) -> bool:
    """The weights are those of a Softmax, some of them replaced."""
    while weights.name == f"{GRAPH}.ElementWiseSelect":
        _, kept, other = weights.inputs
        weights = kept if other.constant is not None else other
    return weights.name == f"{GRAPH}.Softmax"


@external_constraint("splits_front")
def splits_front(out: Node, *parts: Node) -> bool:
    """A Reshape leaves the last two dims of its data; before these, the parts have the same."""
    fronts = {part.shape[:-2] for part in parts}
    return len(fronts) == 1 and len(out.shape) > 2 and out.shape[-2:] == parts[0].shape[-2:]


def split_dims(node: Node, like: Node) -> Shape:
    """Return the dims of a node with others before the last two: a list's, or another node's."""
    return (*(numbers(like) or like.shape)[:-2], *node.shape[-2:])


_SPLIT = View("Reshape", split_dims, split_dims)


def _split(tag: str, like: str = "Dims") -> Expr:
    return _SPLIT.of(tag, tag, like)


def _front(name: str, data: Expr, parts: tuple[str, ...], ask: Expr, split: Expr) -> Rule:
    """Make the rule that moves a Reshape of scores in front of what computes them."""
    return rule(
        _BEFORE,
        Op("Reshape", LET("Data", data), "Dims"),
        AND(
            ask,
            EXTERNAL_CONSTRAINT(splits_front, "*", "Data", *parts),
            EXTERNAL_CONSTRAINT(is_scored, "*"),
            alone(*parts),
        ),
        split,
        name=f"dims of {name}",
    )


_SPLITS = (
    _front(
        "a product of scores",
        Op("MatMul", "Q", "K", "T0", "T1"),
        ("Q", "K"),
        EXTERNAL_CONSTRAINT(is_product, "Data"),
        Op("MatMul", _split("Q"), _split("K"), "T0", "T1"),
    ),
    _front(
        "scaled scores",
        ONE_OF(*with_factor("X")),
        ("X",),
        AND(IS_FACTOR, SAME_SHAPE("Data", "X")),
        SELECT(BOUND("S"), times(_split("X"), "S"), over(_split("X"), "D")),
    ),
    _front(
        "masked scores",
        plus("X", "M"),
        ("X", "M"),
        AND(SAME_SHAPE("Data", "X"), SAME_SHAPE("Data", "M")),
        plus(_split("X"), _split("M")),
    ),
    rule(
        _BEFORE,
        Op("MatMul", LET("Data", Op("Reshape", "P", "Dims")), "V", "T0", "T1"),
        AND(
            EXTERNAL_CONSTRAINT(splits_front, "P", "Data", "V"),
            EXTERNAL_CONSTRAINT(is_weighting, "P"),
            *(EQ(CONSTVAL_INT(tag, 0), 0) for tag in ("T0", "T1")),
            alone("P", "V"),
        ),
        ATTENDED.of(
            ATTENDED.sized(Op("MatMul", "P", _split("V", "P"), "T0", "T1"), "P", "V"), "Data", "V"
        ),
        name="dims of weights",
    ),
)
FRONTS = rules(
    *_SPLITS,
    rule(
        _BEFORE,
        plus("X", OPCONST("Zeros")),
        AND(
            SAME_SHAPE("*", "X"),
            CONSTVAL_IS("Zeros", 0.0),
            EXTERNAL_CONSTRAINT(is_scored, "*"),
        ),
        "X",
        name="nothing added",
    ),
    rule(
        _BEFORE,
        plus(plus("X", "A"), "B"),
        AND(
            EXTERNAL_CONSTRAINT(is_product, "X"),
            NOT(EXTERNAL_CONSTRAINT(is_product, "A")),
            NOT(EXTERNAL_CONSTRAINT(is_product, "B")),
            EXTERNAL_CONSTRAINT(is_scored, "*"),
            SAME_SHAPE("*", "X"),
            alone("X", "A", "B"),
        ),
        plus("X", BROADCAST.sized(plus("A", "B"), "A", "B")),
        name="sum of masks",
    ),
    package=GRAPH,
)
"""A Reshape of queries, keys and masks instead of one of scores; one mask instead of two."""
