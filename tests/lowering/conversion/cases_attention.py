"""Attention: heads that share keys, masks of every shape, windows, f16."""

from collections.abc import Callable
from functools import partial

from tests.support.graph import F16, I32, Graph, Model


def attention() -> Model:
    graph = Graph()
    give, op = graph.give, partial(graph.op, "Attention", scale=0.3)
    for groups in (1, 2, 3, 6):
        q, keys = graph.input(2, 6, 7, 8), graph.input(2, groups, 9, 8)
        values = graph.input(2, groups, 9, 5)
        give(f"{groups} groups", op(q, keys, values))
        for mask in ((9,), (7, 9), (6, 1, 9), (1, 6, 7, 1), (2, 1, 7, 9), (2, 6, 7, 9)):
            name = f"{groups} groups, mask {mask}"
            give(name, op(q, keys, values, graph.input(*mask)))
        give(f"{groups} groups, causal", op(q, keys, values, last=2, softcap=1.5))
        give(f"{groups} groups, window", op(q, keys, values, first=-3, last=0))
    half = [graph.input(1, 2, 33, 8, of=F16) for _ in range(3)]
    give("f16", op(*half, last=0))
    return graph.model()


def paged() -> Model:
    graph = Graph()
    table = graph.input(2, 3, of=I32, low=-4, high=5)
    for heads, groups, width in ((4, 4, 6), (4, 2, 5), (3, 1, 6)):
        q = graph.input(2, heads, 7, 6)
        keys, values = graph.input(5, 4, groups, 6), graph.input(5, 4, groups, width)
        op = partial(graph.op, "PagedAttention", q, keys, values, table)
        graph.give(f"{heads} of {groups}", op(scale=0.4))
        graph.give(f"{heads} of {groups}, masked", op(graph.input(2, 1, 1, 12), last=5))
    return graph.model()


def rotary(interleaved: bool) -> Model:
    graph = Graph()
    for dims in ((8,), (3, 8), (2, 3, 8), (2, 4, 3, 8)):
        x = graph.input(*dims)
        cos, sin = graph.input(*dims[-2:]), graph.input(8)
        out = graph.op("RotaryEmbedding", x, cos, sin, interleaved=interleaved)
        graph.give(f"rank {len(dims)}", out)
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    "Attention": attention,
    "PagedAttention": paged,
    "RotaryEmbedding": partial(rotary, False),
    "RotaryEmbedding of neighbours": partial(rotary, True),
}
"""What makes each model; the op is the first word of the key."""
