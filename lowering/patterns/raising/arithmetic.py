"""Arithmetic of the rules that raise: ops by short names, and what their constraints ask."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import prod

from xdsl.ir import SSAValue

from ....dialects.value import Shape
from ...rules import (
    ABS,
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_IS,
    DIM_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    GE,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_SCALAR,
    LE,
    LET,
    OK,
    ONE_OF,
    OR,
    SAME_SHAPE,
    SELECT,
    Op,
    OpAnyOrder,
    external_constraint,
    shape_function,
)
from ...rules.graph.env import Env
from ...rules.graph.graph import Node
from ...rules.tree.expr import Arg, Expr
from .views import numbers

times, plus = partial(OpAnyOrder, "ElementWiseMultiply"), partial(OpAnyOrder, "ElementWiseAdd")
minus, over = partial(Op, "ElementWiseSubtract"), partial(Op, "ElementWiseDivide")
root, rsqrt = partial(Op, "ElementWiseSquareRoot"), partial(Op, "ElementWiseRsqrt")

IS_REAL = AND(OR(IS_FLOAT32("*"), IS_FLOAT16("*")), SAME_SHAPE("*", "X"))
"""The result is a float tensor of the shape of X: no constant broadcasts it to a higher rank."""


def any_op(forms: Mapping[str, Sequence[Arg]]) -> Expr:
    """Match one of several ops with their inputs; all but the last have their name as tag."""
    *named, last = (Op(name, *inputs) for name, inputs in forms.items())
    return ONE_OF(*(LET(form.name, form) for form in named), last)


def by_op(built: Mapping[str, Expr]) -> Expr:
    """Build what belongs to the op that `any_op` matched."""
    *others, (_, result) = built.items()
    for name, form in reversed(others):
        result = SELECT(BOUND(name), form, result)
    return result


def same_op(forms: Mapping[str, Sequence[Arg]]) -> Expr:
    """Build the op that `any_op` matched, with the inputs of its row."""
    return by_op({name: Op(name, *inputs) for name, inputs in forms.items()})


def is_scalar(tag: str, number: float) -> Expr:
    """Ask for a constant of one element, this number."""
    return AND(IS_SCALAR(tag), CONSTVAL_IS(tag, number))


def if_bound(tag: str, asked: Expr) -> Expr:
    """Ask something of a tag where the match has bound it."""
    return SELECT(BOUND(tag), asked, OK)


def is_factor(tag: str) -> Expr:
    """Ask for a constant of one element that can be multiplied and divided by."""
    size = ABS(CONSTVAL_FLOAT(tag, 0))
    return AND(IS_SCALAR(tag), GE(size, 1e-6), LE(size, 1e6))


def alone(*leaves: str, perhaps: Sequence[str] = ()) -> Expr:
    """Ask that the match take all uses of what it computes from the leaves.

    Those that `perhaps` names are leaves where the match has bound them.
    """
    if not perhaps:
        return EXTERNAL_CONSTRAINT(only_inside, "*", *leaves)
    leaf, *others = perhaps
    with_leaf, without = alone(*leaves, leaf, perhaps=others), alone(*leaves, perhaps=others)
    return SELECT(BOUND(leaf), with_leaf, without)


def last_dims(data: str, axes: str) -> Expr:
    """Ask that the axes be the last dims of the data, as of all that broadcasts to it."""
    return EXTERNAL_CONSTRAINT(are_last, data, axes)


@external_constraint("only_inside")
def only_inside(node: Node, *leaves: Node) -> bool:
    """The ops between the leaves and the node alone read what they compute."""
    return _is_closed(node, leaves, {node.value})


@external_constraint("inside_all")
def inside_all(node: Node, others: int, *nodes: Node) -> bool:
    """The ops between the leaves and the nodes alone read what they compute.

    Of the further nodes, that number are results like the first one, and the rest leaves.
    """
    results = {node.value, *(other.value for other in nodes[:others])}
    return _is_closed(node, nodes[others:], results)


def _is_closed(node: Node, leaves: Sequence[Node], results: Collection[SSAValue]) -> bool:
    """Tell whether the ops between the leaves and a node alone read all but the results."""
    ends = {leaf.value for leaf in leaves}
    inner, work = [node], [node]
    while work:
        fresh = [
            source
            for source in work.pop().inputs
            if source.op is not None
            and source.op.parent is not None
            and source.constant is None
            and source.value not in ends
            and source not in inner
        ]
        inner += fresh
        work += fresh
    ops = {each.op for each in inner}
    closed = (each.value for each in inner if each.value not in results)
    return all(use.operation in ops for value in closed for use in value.uses)


@external_constraint("are_last")
def are_last(data: Node, axes: Node) -> bool:
    """The axes are the last dims of the data."""
    rank = len(data.shape)
    chosen = {axis % rank for axis in numbers(axes)}
    return chosen == set(range(rank - len(chosen), rank))


def extents_of(data: Node, axes: Node) -> Shape:
    """Return the extents of the axes, in rising order."""
    rank = len(data.shape)
    return tuple(data.shape[axis] for axis in sorted({axis % rank for axis in numbers(axes)}))


EXTENTS = shape_function("extents_of")(extents_of)
"""The extents of a node along axes, as dims."""


def fits(data: str, axes: str) -> Expr:
    """Ask that a normalisation over these axes fit the TCM, whole or in tiles."""
    return EXTERNAL_CONSTRAINT(has_room, data, axes)


_ROWS = 8
"""Rows of the last dim in the smallest tile of a normalisation along it."""


@external_constraint("has_room", takes_env=True)
def has_room(env: Env, data: Node, axes: Node) -> bool:
    """The data, its result, a factor and a summand fit the TCM; along the last dim 8 rows do.

    Tiles are cut between rows of the last dim alone.
    """
    extents, rank = extents_of(data, axes), len(data.shape)
    along_last = {axis % rank for axis in numbers(axes)} == {rank - 1}
    rows = _ROWS * extents[0] if along_last else data.spec.elements
    return 2 * (rows + prod(extents)) * data.spec.dtype.itemsize <= env.options.tcm_size


def one_axis(axes: str) -> Expr:
    """Ask that a list of axes have one."""
    return EQ(DIM_OF(axes, 3), 1)
