"""Rules that bring the spellings of a function to one, the only one that the other rules know.

Transpositions that undo each other go, and those that join are one. The arithmetic of all rules
that raise stands first: ops by short names, and what their constraints ask.
"""

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
    CONSTVAL_INT,
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
    OPCONST,
    OR,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    SUB,
    Op,
    OpAnyOrder,
    external_constraint,
    gen_ConstScalar_i32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.env import Env
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Arg, Expr
from .views import JOINED, RETAKEN, TURNED_RESHAPE, joined_order, numbers, turn_of

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


@external_constraint("undoes")
def undoes(data: Node, outer: Node, inner: Node) -> bool:
    """Two transpositions of the data leave every dim in its place."""
    return joined_order(data, outer, inner) == tuple(range(len(data.shape)))


@external_constraint("turns_only")
def turns_only(out: Node, data: Node, order: Node) -> bool:
    """The last two dims are exchanged, no others, and they are the last two of the data."""
    return numbers(order) == turn_of(out) and out.shape[-2:] == data.shape[-2:][::-1]


@external_constraint("keeps_order")
def keeps_order(data: Node, order: Node) -> bool:
    """A transposition leaves every dim in its place."""
    return numbers(order) == tuple(range(len(data.shape)))


_TWICE = Op("Transpose", Op("Transpose", "X", "Inner"), "Outer")
_NOTHING = EXTERNAL_CONSTRAINT(undoes, "X", "Outer", "Inner")

TURNS = rules(
    rule(
        PRE_TRANSLATE + 4,
        Op("Transpose", "X", "Order"),
        EXTERNAL_CONSTRAINT(keeps_order, "X", "Order"),
        "X",
        name="not turned",
    ),
    rule(
        PRE_TRANSLATE + 4,
        _TWICE,
        OR(_NOTHING, alone("X")),
        SELECT(_NOTHING, "X", JOINED.of("X", "X", "Outer", "Inner")),
        name="turned twice",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Transpose", Op("Reshape", LET("T", Op("Transpose", "X", "Inner")), "Dims"), "Outer"),
        AND(EXTERNAL_CONSTRAINT(turns_only, "*", "T", "Outer"), alone("X")),
        TURNED_RESHAPE.of(RETAKEN.of("X", "T", "Inner"), "Dims"),
        name="turned around a Reshape",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Reshape", Op("Reshape", "X", "Inner"), "Outer"),
        alone("X"),
        Op("Reshape", "X", "Outer"),
        name="reshaped twice",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Reshape", "X", "Dims"),
        SAME_SHAPE("*", "X"),
        "X",
        name="reshaped to its own shape",
    ),
    package=GRAPH,
)
"""One transposition or Reshape, or none, instead of two."""


@external_constraint("puts_back")
def puts_back(out: Node, data: Node, axes: Node) -> bool:
    """A Reshape of a reduction gives the axes back as ones."""
    rank = len(data.shape)
    gone = {axis % rank for axis in numbers(axes)}
    return out.shape == tuple(1 if dim in gone else n for dim, n in enumerate(data.shape))


@external_constraint("takes_out")
def takes_out(out: Node, data: Node, axes: Node) -> bool:
    """A Reshape of a reduction has none of the axes."""
    rank = len(data.shape)
    gone = {axis % rank for axis in numbers(axes)}
    return out.shape == tuple(n for dim, n in enumerate(data.shape) if dim not in gone)


@external_constraint("takes_all")
def takes_all(data: Node, places: Node, axis: Node) -> bool:
    """The places are all of an axis, in order."""
    (number,) = numbers(axis)
    return len(places.shape) == 1 and numbers(places) == tuple(range(data.shape[number]))


@external_constraint("always")
def always(known: Node, number: int, left: Node, right: Node) -> bool:
    """The truth values are all this one; a choice between a value and itself marks a body."""
    is_choice = left.value is not right.value
    return is_choice and known.constant is not None and bool((known.constant == number).all())


_ALWAYS = {
    kept: EXTERNAL_CONSTRAINT(always, "Known", number, "X", "Y")
    for kept, number in (("X", 1), ("Y", 0))
}
_REDUCTIONS = ("ReduceMean", "ReduceSum", "ReduceMax")

SPELLINGS = rules(
    rule(
        PRE_TRANSLATE,
        Op("Gather", "X", OPCONST("Places"), "Axis"),
        EXTERNAL_CONSTRAINT(takes_all, "X", "Places", "Axis"),
        "X",
        name="all of an axis",
    ),
    rule(
        PRE_TRANSLATE,
        Op("ElementWiseSelect", OPCONST("Known"), "X", "Y"),
        AND(
            OR(IS_FLOAT32("*"), IS_FLOAT16("*")),
            OR(*(AND(SAME_SHAPE("*", kept), is_always) for kept, is_always in _ALWAYS.items())),
        ),
        SELECT(_ALWAYS["X"], "X", "Y"),
        name="choice that is known",
    ),
    rule(
        PRE_TRANSLATE,
        Op("ElementWisePower", "X", OPCONST("Two")),
        AND(IS_REAL, is_scalar("Two", 2.0)),
        Op("ElementWiseMultiply", "X", "X"),
        name="square",
    ),
    rule(
        PRE_TRANSLATE,
        Op("ElementWiseReciprocal", root("X")),
        AND(IS_REAL, alone("X")),
        rsqrt("X"),
        name="reciprocal of a root",
    ),
    rule(
        PRE_TRANSLATE,
        over(OPCONST("One"), root("X")),
        AND(IS_REAL, is_scalar("One", 1.0), alone("X")),
        rsqrt("X"),
        name="one over a root",
    ),
    rule(
        PRE_TRANSLATE,
        Op("Cast", LET("W", Op("Cast", "X"))),
        AND(IS_FLOAT16("*"), IS_FLOAT32("W"), IS_FLOAT16("X")),
        "X",
        name="wide and back",
    ),
    rule(
        PRE_TRANSLATE,
        Op("Reshape", any_op(dict.fromkeys(_REDUCTIONS, ("X", "Axes", "Keep"))), "Dims"),
        AND(
            SELECT(
                EQ(CONSTVAL_INT("Keep", 0), 0),
                EXTERNAL_CONSTRAINT(puts_back, "*", "X", "Axes"),
                EXTERNAL_CONSTRAINT(takes_out, "*", "X", "Axes"),
            ),
            alone("X"),
        ),
        same_op(
            dict.fromkeys(
                _REDUCTIONS,
                ("X", "Axes", gen_ConstScalar_i32(SUB(1, CONSTVAL_INT("Keep", 0)))),
            )
        ),
        name="dims behind a reduction",
    ),
    package=GRAPH,
)
"""A square is a product, 1 / sqrt(x) is one op, and a choice that is known is none."""
