"""Rules for the ops around an Attention: in front of its Softmax, and around the op once found.

Sums of masks, and Reshapes that stand in the way, are changed first: some models keep batch and
heads as one dim in the products, and apart in the masks. Then factors, repeated heads and constant
masks move into the op. Keys and values that are gathered as pages make a PagedAttention of it.
"""

from functools import partial

import numpy as np

from ....dialects.spec_of import Array
from ....dialects.value import Shape
from ....dialects.value.limits import ANY_KEY
from ...rules import (
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
    LET,
    MUL,
    NOT,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    SHAPEFN_APPLY,
    WITH_SIZE,
    Op,
    Rule,
    external_constraint,
    gen_ConstScalar_f32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .attention import FACTOR, IS_FACTOR, NEVER, with_factor
from .spellings import alone, over, plus, times
from .views import ATTENDED, BEHIND_FIRST, BROADCAST, View, numbers

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


@external_constraint("has_one_in_front")
def has_one_in_front(out: Node, data: Node, apart: Node, mask: Node) -> bool:
    """A Reshape puts a 1 in front of the data's dims, a mask is added, and the 1 goes again."""
    has_ones = apart.shape == (1, *data.shape) and mask.shape[:1] == (1,)
    return has_ones and len(mask.shape) == len(apart.shape) and out.shape == data.shape


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
        Op("Reshape", plus(LET("Apart", Op("Reshape", "X", "Dims")), "M"), "Back"),
        AND(
            EXTERNAL_CONSTRAINT(has_one_in_front, "*", "X", "Apart", "M"),
            EXTERNAL_CONSTRAINT(is_scored, "*"),
            alone("X", "M"),
        ),
        plus("X", BEHIND_FIRST.of("M", "M")),
        name="mask of windows",
    ),
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


_MASKS: tuple[tuple[str, ...], ...] = (("Mask",), ())
_PARAMS = "Softcap", "First", "Last"

_SCALED = LET("Y", ONE_OF(*with_factor("X")))
_MOVED = LET(
    "Moved", ONE_OF(_SCALED, Op("Transpose", _SCALED, "Order"), Op("Reshape", _SCALED, "Dims"))
)
_AS_MOVED = SELECT(
    BOUND("Order"),
    WITH_SIZE("Moved", Op("Transpose", "X", "Order")),
    SELECT(BOUND("Dims"), WITH_SIZE("Moved", Op("Reshape", "X", "Dims")), "X"),
)


def _with_factor(data: Expr, place: int, mask: tuple[str, ...], scale: Expr | str) -> OpForm:
    """Put the first or the second operand of an Attention, and its scale."""
    q, k = (data, "Other") if place == 0 else ("Other", data)
    return Op("Attention", q, k, "V", *mask, scale, *_PARAMS)


SCALES = rules(
    *(
        rule(
            PRE_TRANSLATE + 4,
            _with_factor(_MOVED, place, mask, "Scale"),
            AND(IS_FACTOR, SAME_SHAPE("X", "Y"), alone("X", "Other", "V", *mask)),
            _with_factor(
                *(_AS_MOVED, place, mask),
                gen_ConstScalar_f32(MUL(CONSTVAL_FLOAT("Scale", 0), FACTOR)),
            ),
            name=f"scale of {'queries' if place == 0 else 'keys'}",
        )
        for place in (0, 1)
        for mask in _MASKS
    ),
    package=GRAPH,
)
"""A factor of all queries, or all keys, is one of the scores; what arranges them may be between."""


def _repeated(tag: str) -> OpForm:
    """Match heads that stand several times in a row, as Expand and Reshape make them."""
    apart = LET(f"{tag}1", Op("Reshape", tag, f"{tag}Dims"))
    return Op("Reshape", LET(f"{tag}2", Op("Tile", apart, f"{tag}Times")), f"{tag}All")


@external_constraint("repeats_heads")
def repeats_heads(data: Node, apart: Node, tiled: Node, query: Node) -> bool:
    """[b, g, n, e] becomes [b, g, 1, n, e], then [b, g, r, n, e]; a query has g * r heads."""
    if len(data.shape) != 4:
        return False
    batch, groups, *rest = data.shape
    times = query.shape[1] // groups
    return apart.shape == (batch, groups, 1, *rest) and tiled.shape == (batch, groups, times, *rest)


GROUPS = rules(
    *(
        rule(
            PRE_TRANSLATE + 4,
            Op("Attention", "Q", _repeated("K"), _repeated("V"), *mask, "Scale", *_PARAMS),
            AND(
                *(EXTERNAL_CONSTRAINT(repeats_heads, t, f"{t}1", f"{t}2", "Q") for t in "KV"),
                alone("Q", "K", "V", *mask),
            ),
            Op("Attention", "Q", "K", "V", *mask, "Scale", *_PARAMS),
            name="grouped heads",
        )
        for mask in _MASKS
    ),
    package=GRAPH,
)
"""Heads that share keys need no copies of them."""


def window(*mask: Node) -> tuple[int, int] | None:
    """Return the first and the last key, less the query's number, that a constant mask leaves.

    The mask is a constant, or three of a Select. None where it is not such a window: within it are
    zeros, elsewhere lowest numbers, and every query has a key.
    """
    arrays = [node.constant for node in mask if node.constant is not None]
    array = np.where(*arrays) if len(arrays) == len(_SELECTED) else arrays[0]
    if array.ndim < 2 or not array.size:
        return None
    array = array.astype(np.float64).reshape(-1, *array.shape[-2:])
    rows, keys = array.shape[1:]
    distance = np.arange(keys) - np.arange(rows)[:, np.newaxis]
    open_ = array[0] == 0
    closed = (array[:, ~open_] <= NEVER).all() and not array[:, open_].any()
    if not closed or not open_.any(axis=1).all():
        return None
    first, last = int(distance[open_].min()), int(distance[open_].max())
    if not np.array_equal(open_, (first <= distance) & (distance <= last)):
        return None
    ends = first > distance.min(), last < distance.max()
    return first if ends[0] else -ANY_KEY, last if ends[1] else ANY_KEY


@external_constraint("is_window")
def is_window(q: Node, k: Node, *mask: Node) -> bool:
    """A constant mask of all queries and keys leaves each query the keys of one window."""
    return mask[0].shape[-2:] == (q.shape[2], k.shape[2]) and window(*mask) is not None


@shape_function("first_of_window")
def first_of_window(*mask: Node) -> Array:
    """Return the first key of a mask's window, less the query's number."""
    return np.array(window(*mask), np.int32)[:1]


@shape_function("last_of_window")
def last_of_window(*mask: Node) -> Array:
    """Return the last key of a mask's window, less the query's number."""
    return np.array(window(*mask), np.int32)[1:]


_SELECTED = "Keep", "Then", "Else"
_CONSTANT = ONE_OF(OPCONST("Mask"), Op("ElementWiseSelect", *map(OPCONST, _SELECTED)))
_IS_WINDOW, _FIRST, _LAST = (
    SELECT(BOUND("Mask"), of("Mask"), of(*_SELECTED))
    for of in (
        partial(EXTERNAL_CONSTRAINT, is_window, "Q", "K"),
        partial(SHAPEFN_APPLY, first_of_window),
        partial(SHAPEFN_APPLY, last_of_window),
    )
)

WINDOWS = rules(
    rule(
        PRE_TRANSLATE + 4,
        Op("Attention", "Q", "K", "V", _CONSTANT, "Scale", *_PARAMS),
        AND(
            EQ(CONSTVAL_INT("First", 0), -ANY_KEY),
            EQ(CONSTVAL_INT("Last", 0), ANY_KEY),
            _IS_WINDOW,
        ),
        Op("Attention", "Q", "K", "V", "Scale", "Softcap", _FIRST, _LAST),
        name="window",
    ),
    package=GRAPH,
)
"""A constant mask that leaves each query a run of keys is a window."""

AROUND = SCALES + GROUPS + WINDOWS
"""The rules around an Attention that is found."""


_TABLE = "batches", "pages"
"""The dims of a table."""


@external_constraint("joins_pages")
def joins_pages(sequences: Node, rows: Node, gathered: Node, pages: Node, table: Node) -> bool:
    """Pages [p, s, g, e] are gathered by their numbers, joined, and their heads put in front."""
    if (len(pages.shape), len(table.shape)) != (4, len(_TABLE)):
        return False
    (_, size, *rest), (batch, count) = pages.shape, table.shape
    return (
        numbers(gathered.inputs[2]) == (0,)
        and rows.shape == (batch, count * size, *rest)
        and numbers(sequences.inputs[1]) == (0, 2, 1, 3)
    )


def _sequences(name: str) -> Expr:
    """Match the keys or the values of all sequences, with tags that end in their name."""
    gathered = LET(f"Gathered{name}", Op("Gather", name, "Table", f"_at{name}"))
    rows = LET(f"Rows{name}", Op("Reshape", gathered, f"_dims{name}"))
    return LET(f"All{name}", Op("Transpose", rows, f"_perm{name}"))


_PAGES = "Keys", "Values"


def _paged(mask: tuple[str, ...]) -> Rule:
    """The rule with a mask or without."""
    parts = "All", "Rows", "Gathered", ""
    asks = (
        EXTERNAL_CONSTRAINT(joins_pages, *(f"{part}{name}" for part in parts), "Table")
        for name in _PAGES
    )
    return rule(
        PRE_TRANSLATE + 5,
        Op("Attention", "Q", *map(_sequences, _PAGES), *mask, "Scale", *_PARAMS),
        AND(*asks, alone("Q", *_PAGES, "Table", *mask)),
        Op("PagedAttention", "Q", *_PAGES, "Table", *mask, "Scale", *_PARAMS),
        name="paged attention, masked" if mask else "paged attention",
    )


PAGED = rules(_paged(("Mask",)), _paged(()), package=GRAPH)
"""Attention with a mask, and without."""
