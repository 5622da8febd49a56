"""Attention, found by its two products with a Softmax between them.

Where a mask of -infinity leaves a query no key, the parts give NaN, and the op 0.
"""

from __future__ import annotations

from .....dialects.value.limits import ANY_KEY
from ....rules import (
    AND,
    CONSTVAL_INT,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    OR,
    PRE_TRANSLATE,
    RANK_OF,
    SELECT,
    Op,
    external_constraint,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ....rules.graph.graph import Node
from ....rules.graph.names import GRAPH
from ....rules.tree.expr import Expr
from ..parts import alone
from ..views import (
    ATTENDED,
    ATTENDED_OF_FOUR,
    TO_FOUR,
    TURN,
    TURNED_TO_FOUR,
    numbers,
)
from .scores import ARE_WEIGHTS, MASK, SCALE, SOFTCAP, WEIGHTS


def of_four(tag: str) -> Expr:
    """Take a node of rank 4 as it is, and reshape another."""
    return SELECT(EQ(RANK_OF(tag), 4), tag, TO_FOUR.of(tag, tag))


def _attention() -> Expr:
    """Build the op over queries, keys that stand transposed, and values."""
    turned = TURN.of("K", "K")
    keys = SELECT(EQ(RANK_OF("K"), 4), turned, TURNED_TO_FOUR.of(turned, "K"))
    params = (
        *map(gen_ConstScalar_f32, (SCALE, SOFTCAP)),
        *map(gen_ConstScalar_i32, (-ANY_KEY, ANY_KEY)),
    )
    op = Op("Attention", of_four("Q"), keys, of_four("V"), MASK, *params)
    in_rank = ATTENDED.of(ATTENDED_OF_FOUR.sized(op, "Q", "V"), "Q", "V")
    return SELECT(EQ(RANK_OF("Q"), 4), op, in_rank)


@external_constraint("attends")
def attends(out: Node, q: Node, k: Node, v: Node, axis: Node) -> bool:
    """The weights go along the keys, and q, k and v have the dims of an Attention.

    q[b, h, m, e], k[b, g, e, n], v[b, g, n, d], where g is h or 1; or both without b, or b and h.
    """
    rank = len(q.shape)
    if not 2 <= rank <= 4 or {len(k.shape), len(v.shape)} != {rank}:
        return False
    heads = {q.shape[:-2], (*q.shape[:-3], 1) if rank == 4 else q.shape[:-2]}
    return (
        [each % rank for each in numbers(axis)] == [rank - 1]
        and k.shape[:-2] == v.shape[:-2]
        and k.shape[:-2] in heads
        and k.shape[-1] == v.shape[-2]
        and out.shape == (*q.shape[:-1], v.shape[-1])
    )


@external_constraint("turn_pays")
def turn_pays(q: Node, k: Node) -> bool:
    """Turning the keys moves no more than the scores of the queries would, or costs nothing.

    It costs nothing where a transposition stands in front, behind a factor or a Reshape.
    """
    if q.shape[-2] >= q.shape[-1]:
        return True
    while k.name in _BETWEEN:
        k = next((each for each in k.inputs if each.constant is None), k.inputs[0])
    return k.name == f"{GRAPH}.Transpose"


_BETWEEN = tuple(f"{GRAPH}.{op}" for op in ("ElementWiseMultiply", "ElementWiseDivide", "Reshape"))

CORES = rules(
    rule(
        PRE_TRANSLATE + 3,
        Op("MatMul", WEIGHTS, "V", "T0", "T1"),
        AND(
            *(EQ(CONSTVAL_INT(tag, 0), 0) for tag in ("T0", "T1")),
            OR(IS_FLOAT32("*"), IS_FLOAT16("*")),
            ARE_WEIGHTS,
            EXTERNAL_CONSTRAINT(attends, "*", "Q", "K", "V", "Axis"),
            EXTERNAL_CONSTRAINT(turn_pays, "Q", "K"),
            alone("Q", "K", "V", perhaps=("B", "M")),
        ),
        _attention(),
        name="attention",
    ),
    package=GRAPH,
)
"""Attention in every spelling of its weights."""
