"""Native examples of views: depth in another order or in parts, and slices of what is reshaped."""

from collections.abc import Callable
from functools import partial

from htp_mlir.dialects.attributes import TILE_PLAN
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.rules.language.tile_plan import plan_attr
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.native_graph import Dims, NativeGraph

from .reduced_examples import REDUCTIONS


def reshapes() -> ModuleOp:
    """Two Reshapes in a row, then one that changes nothing, and a join of that alone."""
    graph = NativeGraph()
    once = graph.op("Reshape", graph.op("Neg", graph.input(1, 2, 6, 4)), out=(1, 1, 12, 4))
    twice = graph.op("Neg", graph.op("Reshape", once, out=(1, 4, 3, 4)))
    alone = graph.op("Concat", graph.ints(1), graph.op("Reshape", twice), out=twice)
    return graph.module(graph.op("Neg", alone))


def shuffled() -> ModuleOp:
    """Two groups of channels that take turns."""
    graph = NativeGraph()
    x = graph.op("Relu", graph.input(1, 4, 5, 6), out=(1, 4, 5, 6))
    split = graph.op("Reshape", x, out=(1, 20, 2, 3))
    turned = graph.op("Transpose", split, graph.ints(0, 1, 3, 2), out=(1, 20, 3, 2))
    joined = graph.op("Reshape", turned, out=(1, 4, 5, 6))
    return graph.module(graph.op("Relu", joined, out=(1, 4, 5, 6)))


def padded_slices() -> ModuleOp:
    """Paddings of slices: of one that ends where the input does, and of one inside it."""
    graph = NativeGraph()
    x, value = graph.input(1, 8, 4, 6), graph.scalar(0.5)
    padded: list[SSAValue] = []
    for row in (2, 1):
        rows = graph.shape(0, row, 0, 0), graph.shape(1, 6, 3, 6)
        part = graph.op("Slice_shape", x, *rows, out=(1, 6, 3, 6))
        bounds = graph.shape(0, 0, 1, 0), graph.shape(0, 1, 0, 0), graph.shape(1, 6, 4, 6)
        padded.append(graph.op("SlicePad_shape", part, *bounds, value, out=(1, 6, 4, 6)))
    return graph.module(*padded)


def gathered(dim: int) -> ModuleOp:
    """Channels in another order, with a plan of tiles along a dim."""
    graph = NativeGraph()
    x = graph.input(3, 19, 21, 5)
    out = graph.op("Gather", x, graph.ints(4, 0, 2), graph.ints(3), out=(3, 19, 21, 3))
    out.owner.attributes[TILE_PLAN] = plan_attr([(dim, 8 if dim else 1)])
    return graph.module(out)


def packed(squeezed: bool) -> ModuleOp:
    """Two of three parts of the depth, out of a Transpose that puts the parts in front.

    Between it and them the result may get another shape.
    """
    graph = NativeGraph()
    x = graph.op("Relu", graph.input(1, 6, 5, 12), out=(1, 6, 5, 12))
    split = graph.op("Reshape", x, out=(6, 5, 3, 4))
    front = graph.op("Transpose", split, graph.ints(2, 0, 1, 3), out=(3, 6, 5, 4))
    if squeezed:
        front = graph.op("Reshape", front, out=(3, 30, 1, 4))
    shape = (1, 30, 1, 4) if squeezed else (1, 6, 5, 4)
    parts = (graph.op("Gather", front, graph.ints(at), graph.ints(0), out=shape) for at in (2, 0))
    return graph.module(graph.op("Add", *parts, out=shape))


def parts_of_heads() -> ModuleOp:
    """Two of three parts of the depth, each with heads of its own; then one of the heads."""
    graph = NativeGraph()
    x = graph.op("Relu", graph.input(1, 6, 5, 24), out=(1, 6, 5, 24))
    split = graph.op("Reshape", x, out=(30, 3, 2, 4))
    size, head = graph.shape(30, 1, 2, 4), graph.shape(30, 3, 1, 4)
    first, last = (
        graph.op("Slice_shape", split, graph.shape(0, at, 0, 0), size, out=(30, 1, 2, 4))
        for at in (0, 2)
    )
    one = graph.op("Slice_shape", split, graph.shape(0, 0, 1, 0), head, out=(30, 3, 1, 4))
    return graph.module(graph.op("Add", first, last), one)


def in_front(joined: bool) -> ModuleOp:
    """Two parts of the depth of a large layer, put in front, and maybe joined with the batch."""
    graph = NativeGraph()
    x, bias = graph.input(1, 40, 40, 16), graph.random(48, seed=2)
    layer = graph.op("FullyConnected", x, graph.random(48, 16), bias, out=(1, 40, 40, 48))
    split = graph.op("Reshape", layer, out=(40, 40, 2, 24))
    turned = graph.op("Transpose", split, graph.ints(2, 0, 3, 1), out=(2, 40, 24, 40))
    whole = graph.op("Reshape", turned, out=(80, 2, 12, 40)) if joined else turned
    size = (40, 2, 12, 40) if joined else (1, 40, 24, 40)
    starts = (graph.shape(part * size[0], 0, 0, 0) for part in range(2))
    parts = [graph.op("Slice_shape", whole, at, graph.shape(*size), out=size) for at in starts]
    return graph.module(graph.op("Add", *parts, out=size))


def taken_apart(name: str) -> ModuleOp:
    """A large layer of which two parts of the depth are read."""
    graph = NativeGraph()
    x, bias = graph.input(1, 40, 40, 16), graph.random(48, seed=2)
    if name == "FullyConnected":
        layer = graph.op(name, x, graph.random(48, 16), bias, out=(1, 40, 40, 48))
    elif name == "MatMul":
        operands = graph.random(48, 16), graph.ints(0), graph.ints(1)
        product = graph.op(name, x, *operands, out=(1, 40, 40, 48))
        layer = graph.op("BiasAdd", product, bias)
    else:
        operands = graph.random(1, 1, 16, 48), graph.shape(1, 1, 1, 1), bias
        layer = graph.op(name, x, *operands, out=(1, 40, 40, 48))
    ends = (0, 20), (20, 28)
    parts = [
        graph.op(
            *("Slice_shape", layer, graph.shape(0, 0, 0, start), graph.shape(1, 40, 40, size)),
            out=(1, 40, 40, size),
        )
        for start, size in ends
    ]
    spec = spec_of(x).with_shape((1, 40, 40, 48))
    return graph.module(graph.op("Concat", graph.ints(3), *reversed(parts), out=spec))


def viewed(shape: Dims, view: Dims, dim: int, start: int, size: int) -> ModuleOp:
    """A slice of a view along its first dim."""
    graph = NativeGraph()
    x = graph.op("Relu", graph.input(*shape), out=shape)
    seen = graph.op("Reshape", x, out=view)
    begin = [start if at == dim else 0 for at in range(4)]
    extent = [size if at == dim else each for at, each in enumerate(view)]
    part = graph.op("Slice_shape", seen, graph.shape(*begin), graph.shape(*extent), out=extent)
    return graph.module(graph.op("Relu", part, out=extent))


def viewed_tiles(before: Dims, start: Dims, size: Dims) -> ModuleOp:
    """A padding of a view of three tiles, as a layer over an image reads one over rows."""
    graph = NativeGraph()
    tiles = [graph.op("Relu", graph.input(1, 1, 14, 4), out=(1, 1, 14, 4)) for _ in range(3)]
    whole = spec_of(tiles[0]).with_shape((1, 1, 42, 4))
    rows = graph.op("Concat", graph.ints(2), *tiles, out=whole)
    image = graph.op("Reshape", rows, out=(1, 6, 7, 4))
    bounds = (graph.shape(*dims) for dims in (before, start, size))
    padded = graph.op("SlicePad_shape", image, *bounds, graph.scalar(0.5), out=size)
    return graph.module(graph.op("Relu", padded, out=size))


_LAYERS = "FullyConnected", "MatMul", "ConvLayer_valid"
IMAGE, STRIPS = (1, 28, 1, 2), (4, 7, 1, 2)
ROOMY = {
    "strips of an image": partial(viewed, IMAGE, STRIPS, 0, 2, 1),
    "rows of strips": partial(viewed, STRIPS, IMAGE, 1, 5, 6),
    "first rows of tiles": partial(viewed_tiles, (0, 1, 1, 0), (0, 0, 0, 0), (1, 4, 9, 4)),
    "last rows of tiles": partial(viewed_tiles, (0, 0, 1, 0), (0, 3, 0, 0), (1, 4, 9, 4)),
}
"""Examples in which the elements of a first dim fit the TCM."""
VIEWS: dict[str, Callable[[], ModuleOp]] = {
    **REDUCTIONS,
    "reshapes": reshapes,
    "shuffled depth": shuffled,
    "padded slices": padded_slices,
    "packed depth": partial(packed, False),
    "packed depth, squeezed": partial(packed, True),
    "parts of heads": parts_of_heads,
    "parts in front": partial(in_front, False),
    "parts in front, joined": partial(in_front, True),
    **{f"{name} taken apart": partial(taken_apart, name) for name in _LAYERS},
    **{f"planned Gather, {'BHWD'[dim]}": partial(gathered, dim) for dim in range(3)},
    **ROOMY,
}
"""What makes each example, by its name, those of reductions as well."""
