"""Images of another extent: all modes of Resize, blocks in both orders, several dtypes."""

from collections.abc import Callable
from functools import partial

from tests.support.graph import F16, I32, Graph, Model, u8

LINEAR, CUBIC = 1, 2


def resize() -> Model:
    graph = Graph()
    x = graph.input(2, 7, 5, 6)
    give, op = graph.give, partial(graph.op, "Resize")
    for place in range(4):
        for mode in ("nearest_mode", "interpolation_mode"):
            params = {"transformation_mode": place, mode: 1}
            give(f"{mode}, place {place}", op(x, size=(9, 13), **params))
    give("down", op(x, size=(3, 1), interpolation_mode=LINEAR))
    give("cubic", op(x, size=(14, 5), interpolation_mode=CUBIC, cubic_coeff=-0.5))
    give("inside", op(x, size=(8, 6), interpolation_mode=CUBIC, exclude_outside=True))
    give("one pixel", op(graph.input(1, 1, 1, 65), size=(33, 7), interpolation_mode=LINEAR))
    give("f16", op(graph.input(1, 6, 6, 3, of=F16), size=(12, 12), interpolation_mode=LINEAR))
    give("u8", op(graph.input(1, 6, 6, 3, of=u8()), size=(12, 12), interpolation_mode=LINEAR))
    coarse = graph.input(1, 6, 6, 3, of=u8(0.1))
    give("finer", op(coarse, size=(12, 12), interpolation_mode=LINEAR, out=u8(0.04)))
    give("then Relu", graph.op("Relu", op(x, size=(14, 10))))
    return graph.model()


def shuffled(name: str, *dims: int) -> Model:
    graph = Graph()
    x = graph.input(*dims)
    give, op = graph.give, partial(graph.op, name)
    for mode in (0, 1):
        give(f"square, mode {mode}", op(x, block_size=(2, 2), mode=mode))
        give(f"wide, mode {mode}", op(x, block_size=(1, 3), mode=mode))
    give("one", op(x, block_size=(1, 1)))
    give("i32", op(graph.input(*dims, of=I32, low=-9, high=9), block_size=(2, 2)))
    give("f16", op(graph.input(*dims, of=F16), block_size=(2, 2)))
    give("u8", op(graph.input(*dims, of=u8()), block_size=(2, 2), mode=1))
    give("then Relu", graph.op("Relu", op(x, block_size=(2, 2))))
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    "Resize": resize,
    "DepthToSpace": partial(shuffled, "DepthToSpace", 2, 3, 7, 12),
    "SpaceToDepth": partial(shuffled, "SpaceToDepth", 2, 4, 6, 33),
}
"""What makes each model; the op is the first word of the key."""
