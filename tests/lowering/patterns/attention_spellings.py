"""Small graphs that spell out attention, for every rule that finds it or moves into it."""

from collections.abc import Callable
from functools import partial

import numpy as np
from htp_mlir.dialects.spec_of import Array
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import BOOL, F32, I32, Graph

from .spellings import over, plus, times

_TURN = (0, 1, 3, 2)
LOW = -np.inf


def module(attend: Callable[[Graph], SSAValue]) -> ModuleOp:
    """The module of one spelling."""
    graph = Graph()
    graph.give("y", attend(graph))
    return graph.model().module


def tensors(graph: Graph, *front: int) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Queries, keys and values."""
    return graph.input(*front, 5, 8), graph.input(*front, 6, 8), graph.input(*front, 6, 4)


def scaled(graph: Graph, scores: SSAValue, words: list[str]) -> SSAValue:
    """Scores with a factor, capped, as the words say."""
    if "scaled" in words:
        scores = times(graph, scores, 0.3)
    if "divided" in words:
        scores = over(graph, scores, 3.0)
    if "capped" in words:
        cap = graph.const(2.0, F32)
        scores = times(graph, graph.op("Tanh", over(graph, scores, cap)), cap)
    return scores


def kept(twice: bool) -> Array:
    """Two keys for each query, and none for the first where weights are filled, too."""
    keep = np.eye(5, 6) + np.eye(5, 6, 1) > 0
    keep[0] &= not twice
    return keep


def masked(graph: Graph, scores: SSAValue, words: list[str]) -> SSAValue:
    """Scores with the mask that the words name; each query keeps a key, or not if filled twice."""
    low = graph.const(-1e4 if "twice" in words else LOW, F32)
    keep = kept("twice" in words)
    if "masked" in words:
        scores = plus(graph, scores, graph.input(2, 1, 5, 6))
    if "chosen" in words:
        return graph.op("ElementWiseSelect", graph.const(keep, BOOL), scores, low)
    if "hidden" in words:
        return graph.op("ElementWiseSelect", graph.const(~keep, BOOL), low, scores)
    return scores


def weighed(graph: Graph, scores: SSAValue, words: list[str]) -> SSAValue:
    """The softmax of scores, with 0 in the place of some weights, as the words say."""
    weights, zero = graph.op("Softmax", scores), graph.const(0.0, F32)
    if "safe" in words:
        differs = graph.op("ElementWiseNotEqual", weights, weights)
        return graph.op("ElementWiseSelect", differs, zero, weights)
    if "twice" in words:
        condition = scores.owner.operands[0]
        operands = (weights, zero) if "chosen" in words else (zero, weights)
        return graph.op("ElementWiseSelect", condition, *operands)
    return weights


def spelt(graph: Graph, name: str, front: tuple[int, ...] = (2, 4)) -> SSAValue:
    """Attention with the scores of a name."""
    q, k, v = tensors(graph, *front)
    order = (*range(len(front)), len(front) + 1, len(front))
    scores = graph.op("MatMul", q, graph.op("Transpose", k, perm=order))
    words = name.replace(",", "").split()
    if words[:3] == ["masked", "then", "divided"]:
        scores = over(graph, masked(graph, scores, ["masked"]), 3.0)
        scores = masked(graph, scores, words[3:])
    else:
        scores = masked(graph, scaled(graph, scores, words), words)
    return graph.op("MatMul", weighed(graph, scores, words), v)


def apart(graph: Graph, name: str) -> SSAValue:
    """Attention with batch and heads as one dim, but for the mask and the Softmax."""
    q, k, v = tensors(graph, 8)
    scores = graph.op("MatMul", q, graph.op("Transpose", k, perm=(0, 2, 1)))
    scores = scaled(graph, scores, [name])
    if name == "masked":
        scores = plus(graph, scores, graph.input(8, 5, 6))
    scores = graph.op("Reshape", scores, shape=(2, 4, 5, 6))
    weights = graph.op("Softmax", plus(graph, scores, graph.input(2, 1, 5, 6)))
    return graph.op("MatMul", graph.op("Reshape", weights, shape=(8, 5, 6)), v)


def of_windows(graph: Graph) -> SSAValue:
    """Attention in windows, with a mask for each, which is added behind a dim of images."""
    q, k, v = tensors(graph, 2, 4)
    scores = graph.op("MatMul", q, graph.op("Transpose", k, perm=_TURN))
    scores = plus(graph, scores, graph.const(np.ones((1, 4, 5, 6)), F32))
    scores = graph.op("Reshape", scores, shape=(1, 2, 4, 5, 6))
    scores = plus(graph, scores, graph.input(1, 2, 1, 5, 6))
    scores = graph.op("Reshape", scores, shape=(2, 4, 5, 6))
    return graph.op("MatMul", graph.op("Softmax", scores), v)


def masked_twice(graph: Graph) -> SSAValue:
    """Attention with two masks, and zeros."""
    q, k, v = tensors(graph, 2, 4)
    scores = scaled(graph, graph.op("MatMul", q, graph.op("Transpose", k, perm=_TURN)), ["scaled"])
    scores = plus(graph, scores, graph.const(np.zeros((5, 6)), F32))
    scores = plus(graph, plus(graph, scores, graph.input(4, 5, 6)), graph.input(2, 1, 1, 6))
    return graph.op("MatMul", graph.op("Softmax", scores), v)


def factor(graph: Graph, place: int, divides: bool, mask: bool) -> SSAValue:
    """Queries or keys with a factor."""
    operands = list(tensors(graph, 2, 4))
    operands[place] = (over if divides else times)(graph, operands[place], 0.5)
    masks = [graph.input(5, 6)] * mask
    return graph.op("Attention", *operands, *masks, scale=0.5)


def behind(graph: Graph, mover: str, place: int, divides: bool, mask: bool) -> SSAValue:
    """A factor of queries or keys in front of what arranges them."""
    operands = list(tensors(graph, 2, 4))
    length = (5, 6)[place]
    x = graph.input(2, length, 4, 8)
    scaled_x = (over if divides else times)(graph, x, 0.5)
    if mover == "Transpose":
        operands[place] = graph.op(mover, scaled_x, perm=(0, 2, 1, 3))
    else:
        operands[place] = graph.op(mover, scaled_x, shape=(2, 4, length, 8))
    return graph.op("Attention", *operands, *[graph.input(5, 6)] * mask)


def turned(graph: Graph, first: tuple[int, ...]) -> SSAValue:
    """What two transpositions arrange."""
    once = graph.op("Transpose", graph.input(2, 3, 4, 5), perm=first)
    return graph.op("Transpose", once, perm=_TURN)


def turned_around_reshape(graph: Graph) -> SSAValue:
    """Keys that two transpositions arrange, with a Reshape between them."""
    once = graph.op("Transpose", graph.input(6, 8, 5), perm=(1, 2, 0))
    return graph.op("Transpose", graph.op("Reshape", once, shape=(2, 4, 5, 6)), perm=_TURN)


def reshaped_twice(graph: Graph) -> SSAValue:
    """Two Reshapes, one behind the other."""
    return graph.op("Reshape", graph.op("Reshape", graph.input(6, 4), shape=(24,)), shape=(8, 3))


def not_turned(graph: Graph) -> SSAValue:
    """A transposition that leaves everything in its place."""
    return graph.op("Transpose", graph.input(2, 3), perm=(0, 1))


def grouped(graph: Graph, mask: bool) -> SSAValue:
    """Two heads of keys and values, each twice."""
    q, _, _ = tensors(graph, 2, 4)
    repeated = []
    for depth in (8, 4):
        apart = graph.op("Reshape", graph.input(2, 2, 6, depth), shape=(2, 2, 1, 6, depth))
        tiled = graph.op("Tile", apart, multiples=(1, 1, 2, 1, 1))
        repeated.append(graph.op("Reshape", tiled, shape=(2, 4, 6, depth)))
    return graph.op("Attention", q, *repeated, *[graph.input(5, 6)] * mask)


def window(graph: Graph, selected: bool) -> SSAValue:
    """A constant mask of a window, or a Select of it."""
    keep = np.tri(5, 6, 1, dtype=bool)
    if selected:
        numbers = graph.const(0.0, F32), graph.const(LOW, F32)
        mask = graph.op("ElementWiseSelect", graph.const(keep, BOOL), *numbers)
    else:
        mask = graph.const(np.where(keep, 0.0, LOW), F32)
    return graph.op("Attention", *tensors(graph, 2, 4), mask)


def over_columns(graph: Graph, kind: str) -> SSAValue:
    """An Attention whose mask has a row for each batch: integers, or a choice of two numbers."""
    q, k, v = tensors(graph, 2, 4)
    integers = graph.input(2, 1, 1, 6, of=I32, low=0, high=2)
    if kind == "integers":
        return graph.op("Attention", q, k, v, graph.op("Cast", integers, to=F32), scale=0.5)
    numbers = graph.const(0.0, F32), graph.const(-7.0 if kind == "whole" else -1e10, F32)
    chosen = numbers[::-1] if kind == "dropped" else numbers
    keep = graph.op("Cast", integers, to=BOOL)
    return graph.op("Attention", q, k, v, graph.op("ElementWiseSelect", keep, *chosen))


_SCALED = "plain", "scaled", "divided"
_BIASED = (*(f"{scaled}, masked" for scaled in _SCALED), "masked, then divided")
SCORES = (
    *(
        f"{scaled}{capped}{mask}"
        for scaled in _SCALED
        for capped in ("", ", capped")
        for mask in ("", ", masked", ", chosen", ", hidden")
    ),
    _BIASED[-1],
    *(f"{biased}, {word}" for biased in _BIASED for word in ("chosen", "hidden")),
    *(
        f"{scores}, {word} twice"
        for scores in (*_SCALED, *_BIASED)
        for word in ("chosen", "hidden")
    ),
    *("safe", "masked, safe", "chosen, safe", "scaled, hidden, safe"),
)
"""The spellings of scores, by the words that `spelt` reads."""

SPELT: dict[str, Callable[[Graph], SSAValue]] = {
    **{f"attention, {name}": partial(spelt, name=name) for name in SCORES},
    "attention of rank 3": partial(spelt, name="plain", front=(4,)),
    "attention of rank 2": partial(spelt, name="plain", front=()),
    "attention masked twice": masked_twice,
    "attention in windows": of_windows,
    **{
        f"attention, heads apart, {name}": partial(apart, name=name)
        for name in ("plain", "scaled", "divided", "masked")
    },
    **{
        f"factor of {place}, divides {divides}, mask {mask}": partial(
            factor, place=place, divides=divides, mask=mask
        )
        for place in (0, 1)
        for divides in (True, False)
        for mask in (True, False)
    },
    **{
        f"factor of {place} behind {mover}, divides {divides}, mask {mask}": partial(
            behind, mover=mover, place=place, divides=divides, mask=mask
        )
        for mover in ("Transpose", "Reshape")
        for place in (0, 1)
        for divides in (True, False)
        for mask in (True, False)
    },
    "not turned": not_turned,
    "reshaped twice": reshaped_twice,
    "turned and back": partial(turned, first=_TURN),
    "turned twice": partial(turned, first=(0, 2, 3, 1)),
    "turned around a Reshape": turned_around_reshape,
    **{
        f"attention over columns, {kind}": partial(over_columns, kind=kind)
        for kind in ("integers", "whole", "kept", "dropped")
    },
    **{f"grouped heads, mask {mask}": partial(grouped, mask=mask) for mask in (True, False)},
    **{f"window, selected {word}": partial(window, selected=word) for word in (True, False)},
}
"""The spellings by name."""

ATTENTION: dict[str, Callable[[], ModuleOp]] = {
    name: partial(module, attend) for name, attend in SPELT.items()
}
"""The module of each spelling."""
