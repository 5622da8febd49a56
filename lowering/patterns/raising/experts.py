"""RoutedExperts, and the products of rows and matrices that a Gather takes from a constant stack.

First such products get one spelling. The data [t, d], or [t, k, d] with a row for each of k
matrices, is multiplied as [t, 1, 1, d] or [t, k, 1, d] by [t, k, d, f]. A transposition behind the
Gather, made once for each row of the data, is made in the stack.

Then experts are found: TopK of scores, products with the matrices of the chosen, their weighted
sum. f16 stays in parts, which round as they did.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.qti_aisw.ops.experts import ACTIVATIONS, ROUTINGS
from ....dialects.value import Shape
from ...rules import (
    ABSENT,
    AND,
    BOUND,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SELECT,
    SHAPEFN_APPLY,
    WITH_SIZE,
    WITH_TYPE,
    XOR,
    Op,
    OpAnyOutput,
    Rule,
    external_constraint,
    gen_ConstScalar_i32,
    gen_ConstTurned,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .spellings import alone, if_bound, last_dims, over, times
from .views import View, numbers, turned_dims

_STACK, _MATRICES = 3, 4
"""The ranks of a stack and of the matrices that a table of numbers takes from it."""
_NONE = gen_ConstScalar_i32(0)


@dataclass(frozen=True)
class Wiring:
    """A way to write the product: the dims between the Gather and the result.

    `shared`: all matrices of a row are multiplied by the same data. `turned`: the stack holds
    [f, d]. `order`: the transposition behind the Gather. `columns`: the data is on the right.
    """

    shared: bool
    turned: bool
    order: Shape = ()
    columns: bool = False

    def fits(self, out: Node, data: Node, product: Node, gathered: Node, *order: Node) -> bool:
        """Rows of data are multiplied by gathered matrices, side by side or each on its own."""
        if (len(gathered.shape), len(gathered.inputs[0].shape)) != (_MATRICES, _STACK):
            return False
        count, k, *matrix = gathered.shape
        depth, width = reversed(matrix) if self.turned else matrix
        batch, side = (count, k * width) if self.shared else (count * k, width)
        sides = [(batch, 1, depth), (batch, depth, side)]
        if self.columns:
            sides = [(batch, side, depth), (batch, depth, 1)]
        read = [gathered.inputs[2], *product.inputs[2:], *order]
        return (
            data.shape == ((count, depth) if self.shared else (count, k, depth))
            and out.shape == (count, k, width)
            and [each.shape for each in product.inputs[:2]] == sides
            and [numbers(each) for each in read] == [(0,)] * 3 + [self.order] * len(order)
        )


_WIRINGS = (
    Wiring(shared=True, turned=False, order=(0, 2, 1, 3)),
    Wiring(shared=True, turned=True, order=(0, 3, 1, 2)),
    Wiring(shared=True, turned=True, columns=True),
    Wiring(shared=False, turned=False),
    Wiring(shared=False, turned=True, order=(0, 1, 3, 2)),
    Wiring(shared=False, turned=True, columns=True),
)
"""The products that PyTorch's exporters and the import of Einsum write."""


def _fitting(columns: int, nodes: Sequence[Node]) -> list[Wiring]:
    wirings = (each for each in _WIRINGS if each.columns == bool(columns))
    return [each for each in wirings if each.fits(*nodes)]


@external_constraint("multiplies_matrices")
def multiplies_matrices(out: Node, columns: int, *nodes: Node) -> bool:
    """Rows of data are multiplied by gathered matrices in one of the known ways."""
    return bool(_fitting(columns, (out, *nodes)))


@external_constraint("has_turned_stack")
def has_turned_stack(out: Node, columns: int, *nodes: Node) -> bool:
    """The matrices of the stack have their dims exchanged."""
    return _fitting(columns, (out, *nodes))[0].turned


def _stacked(columns: bool) -> Rule:
    """The rule that turns such products into one spelling."""
    gathered = LET("Gathered", Op("Gather", OPCONST("Stack"), "Numbers", "_at"))
    nodes = ("*", int(columns), "X", "Product", "Gathered")
    fits, is_turned = (
        EXTERNAL_CONSTRAINT(asked, *nodes)
        if columns
        else SELECT(
            BOUND("Order"),
            EXTERNAL_CONSTRAINT(asked, *nodes, "Order"),
            EXTERNAL_CONSTRAINT(asked, *nodes),
        )
        for asked in (multiplies_matrices, has_turned_stack)
    )
    matrices = gathered if columns else ONE_OF(gathered, Op("Transpose", gathered, "Order"))
    factors = [LET("Rows", Op("Reshape", "X", "_rows")), Op("Reshape", matrices, "_side")]
    product = Op("MatMul", *(factors[::-1] if columns else factors), "_0", "_1")
    return rule(
        PRE_TRANSLATE + 3,
        Op("Reshape", LET("Product", product), "Dims"),
        AND(fits, alone("Rows", "Stack", "Numbers")),
        Op("Reshape", SELECT(is_turned, _by_matrices(True), _by_matrices(False)), "Dims"),
        name="product with gathered matrices",
    )


def _by_matrices(turned: bool) -> Expr:
    """Build the product of rows that are matrices and of matrices as they were gathered."""
    stack = gen_ConstTurned("Stack") if turned else "Stack"
    dims = SHAPEFN_APPLY(_TURNED, "Gathered") if turned else "Gathered"
    matrices = WITH_TYPE("Gathered", WITH_SIZE(dims, Op("Gather", stack, "Numbers", "_at")))
    product = Op("MatMul", ROWS.of("X", "X"), matrices, _NONE, _NONE)
    return WITH_SIZE(SHAPEFN_APPLY(results_of_rows, "*"), product)


def dims_of_rows(data: Node) -> Shape:
    """Return the dims of data of which each row is a matrix: one for all, or for each."""
    count, *k, depth = data.shape
    return (count, *(k or [1]), 1, depth)


@shape_function("results_of_rows")
def results_of_rows(out: Node) -> Shape:
    """Return the dims of results [t, k, f] of which each row is a matrix."""
    return (*out.shape[:-1], 1, out.shape[-1])


ROWS = View("Reshape", dims_of_rows, dims_of_rows)
"""Data [t, d] or [t, k, d] as rows that are matrices."""
_TURNED = shape_function("turned_dims")(turned_dims)

STACKS = rules(_stacked(columns=False), _stacked(columns=True), package=GRAPH)


_OF_ALL = 2
"""The dims of data, of scores and of chosen numbers: rows, and columns of each."""


@external_constraint("are_chosen")
def are_chosen(data: Node, scores: Node, places: Node, *best: Node) -> bool:
    """The best scores of each row of the data and their places are those of one TopK."""
    ranks = {len(node.shape) for node in (data, scores)}
    same = all(each.op is places.op and each.index == 0 for each in best)
    return same and places.index == 1 and ranks == {_OF_ALL} and data.shape[0] == scores.shape[0]


@external_constraint("multiplies_chosen")
def multiplies_chosen(data: Node, places: Node, results: Node, stack: Node) -> bool:
    """The results [t, k, f] are of data [t, k or 1, 1, d] times the matrices of the places."""
    if (places.spec.rank, stack.spec.rank) != (2, 3):
        return False
    rows, gathered, *turns = results.inputs[0].inputs
    (count, k), (_, depth, width) = places.shape, stack.shape
    own = data.shape if len(data.shape) > _OF_ALL else (count, 1, depth)
    return (
        rows.shape == (*own[:2], 1, depth)
        and gathered.shape == (count, k, depth, width)
        and results.shape == (count, k, width)
        and [numbers(each) for each in (gathered.inputs[2], *turns)] == [(0,)] * 3
    )


@external_constraint("adds_up_chosen")
def adds_up_chosen(out: Node, results: Node, column: Node, *along: Node) -> bool:
    """The results [t, k, f] are added up over k, each times its weight in a column."""
    count, k, width = results.shape
    return (
        out.shape == (count, width)
        and column.shape == (count, k, 1)
        and [numbers(each) for each in along] in _SUMS
    )


_SUMS = [[(1,), (0,)], [(0, 2, 1), (0,), (0,)]]
"""The params of a sum along k, and of a product with the column."""


def _best(ranked: Expr | str) -> OpForm:
    """Match either output of the TopK."""
    return OpAnyOutput("TopK", ranked, "K", "Largest")


_RANKED = LET("Ranked", ONE_OF(Op("Softmax", "Scores", "Axis", "Beta"), "Scores"))
"""The numbers that are ranked: the scores, or their Softmax over all experts."""
_NUMBERS = LET("Numbers", Op("Cast", LET("Places", _best(_RANKED))))
_BEST = LET("Best", _best("Ranked"))
_WEIGHTS = ONE_OF(
    over(_BEST, Op("ReduceSum", "Best", "Along", "Keep")),
    Op("Softmax", _BEST, "AxisOfBest", "BetaOfBest"),
    _BEST,
)
"""The weights: shares of their sum, a Softmax over the chosen, or what was ranked."""
_ARE_WEIGHTS = AND(
    XOR(BOUND("Axis"), BOUND("AxisOfBest")),
    if_bound("Axis", AND(last_dims("Ranked", "Axis"), CONSTVAL_IS("Beta", 1.0))),
    if_bound("AxisOfBest", AND(last_dims("Best", "AxisOfBest"), CONSTVAL_IS("BetaOfBest", 1.0))),
    if_bound("Along", AND(last_dims("Best", "Along"), EQ(CONSTVAL_INT("Keep", 0), 1))),
)
"""There is one Softmax, in front of the ranking or behind it."""


def _product(stack: str, data: Expr | str, numbers: Expr | str) -> Expr:
    """Match data times the matrices of a stack that were gathered by numbers."""
    rows = Op("Reshape", data, f"_rows{stack}")
    gathered = Op("Gather", stack, numbers, f"_at{stack}")
    multiplied = Op("MatMul", rows, gathered, f"_left{stack}", f"_right{stack}")
    return LET(f"By{stack}", Op("Reshape", multiplied, f"_dims{stack}"))


def _multiplies(data: str, stack: str) -> Expr:
    return EXTERNAL_CONSTRAINT(multiplies_chosen, data, "Places", f"By{stack}", stack)


_GATE, _UP = _product("Gate", "X", _NUMBERS), _product("Up", "X", _NUMBERS)
_GATES = ONE_OF(Op("Swish", _GATE, "Alpha"), Op("Gelu", _GATE))
_INNER = ONE_OF(
    times(_GATES, _product("Up", "X", "Numbers")), Op("Gelu", _UP), LET("Relu", Op("Relu", _UP))
)
"""The data of the last product as language models have it, with a gate or without."""
_RESULTS = _product("Down", LET("Inner", _INNER), "Numbers")
_COLUMN = LET("Column", Op("Reshape", _WEIGHTS, "_column"))
_SUMMED = Op("ReduceSum", times(_RESULTS, _COLUMN), "Over", "Kept")
_MULTIPLIED = Op("MatMul", Op("Transpose", _RESULTS, "Order"), _COLUMN, "Left", "Right")


def _code(names: tuple[str, ...], otherwise: str, **bound: str) -> Expr:
    """Build the number of a name: that of the first tag that is bound."""
    code: Expr = gen_ConstScalar_i32(names.index(otherwise))
    for tag, name in reversed(bound.items()):
        code = SELECT(BOUND(tag), gen_ConstScalar_i32(names.index(name)), code)
    return code


def _routed(match: OpForm, *along: str) -> Rule:
    """The rule for one way to add up, with the tags of its params."""
    leaves = "X", "Scores", "Up", "Down"
    return rule(
        PRE_TRANSLATE + 5,
        match,
        AND(
            *(IS_FLOAT32("*"), EQ(CONSTVAL_INT("Largest", 0), 1), _ARE_WEIGHTS),
            EXTERNAL_CONSTRAINT(are_chosen, "X", "Scores", "Places", "Best"),
            if_bound("Alpha", CONSTVAL_IS("Alpha", 1.0)),
            if_bound("Gate", _multiplies("X", "Gate")),
            *(_multiplies("X", "Up"), _multiplies("Inner", "Down")),
            EXTERNAL_CONSTRAINT(adds_up_chosen, "*", "ByDown", "Column", *along),
            alone(*leaves, perhaps=("Gate",)),
        ),
        Op(
            *("RoutedExperts", *leaves, SELECT(BOUND("Gate"), "Gate", ABSENT), "K"),
            _code(ACTIVATIONS, "Gelu", Alpha="Swish", Relu="Relu"),
            _code(ROUTINGS, "all", AxisOfBest="chosen", Along="shared"),
        ),
        name="routed experts",
    )


EXPERTS = rules(
    _routed(_SUMMED, "Over", "Kept"),
    _routed(Op("Reshape", _MULTIPLIED, "_out"), "Order", "Left", "Right"),
    package=GRAPH,
)
"""Experts whose results a ReduceSum or a MatMul adds up."""
